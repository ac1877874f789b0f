/**
 * What a stub must know about the interfaces it stands for, whatever they are read from.
 *
 * <p>{@link RemoteModel} is the result: the remote interfaces of a class, and their methods in the
 * order that gives each its method number. It is computed from {@link ClassView}s, of which there
 * are two kinds: {@link ReflectedClass} at run time and {@link ClassFileView} for karmic, which
 * loads no class of the application.
 *
 * <p>A method that may not be called remotely is an {@link IllegalArgumentException} with the words
 * of stock RMI.
 */
@NullMarked
package io.karmi.stubgen.model;

import org.jspecify.annotations.NullMarked;
