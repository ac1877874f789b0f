/**
 * Model of the remote interfaces of a stub, independent of their source.
 *
 * <p>{@link RemoteModel} is the result: the remote interfaces of a class, and their methods in the
 * order that gives each its method number. It is computed from {@link ClassView}s, of which there
 * are three kinds: {@link ReflectedClass} at run time, {@link ClassFileView} for karmic, which
 * loads no class of the application, and {@code ElementView} for the annotation processor.
 *
 * <p>A method that may not be called remotely is an {@link IllegalArgumentException} with the words
 * of stock RMI.
 */
@NullMarked
package io.karmi.stubgen.model;

import org.jspecify.annotations.NullMarked;
