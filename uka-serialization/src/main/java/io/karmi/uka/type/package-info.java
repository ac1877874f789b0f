/**
 * Classes as serialization sees them.
 *
 * <p>{@link io.karmi.uka.type.LocalClass} is a class of this JVM, {@link
 * io.karmi.uka.type.ClassDescription} what a stream says about one class, its own or the writer's.
 * {@link io.karmi.uka.type.StreamClasses} turns the latter into the JDK's {@code ObjectStreamClass}
 * and back. Nothing here knows a stream's bytes.
 *
 * <p>Errors of a class that the JDK raises late, when an object of it is written or read, are kept
 * until then.
 */
@NullMarked
package io.karmi.uka.type;

import org.jspecify.annotations.NullMarked;
