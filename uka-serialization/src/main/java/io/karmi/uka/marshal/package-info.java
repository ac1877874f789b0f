/**
 * The engine: Java's serialization semantics, written once for all wire formats.
 *
 * <p>{@link io.karmi.uka.marshal.ObjectWriter} and {@link io.karmi.uka.marshal.ObjectReader} number
 * objects and types and keep the rules; {@link io.karmi.uka.marshal.MessageWriter} and {@link
 * io.karmi.uka.marshal.MessageReader} are what a program calls around them. What an object of one
 * class looks like is the affair of its {@link io.karmi.uka.marshal.Marshaler}. The streams in
 * {@code io.karmi.uka} are their face; whatever of them a program may have overridden is reached
 * through {@link io.karmi.uka.marshal.OutputHooks} and {@link io.karmi.uka.marshal.InputHooks}.
 *
 * <p>Below lie {@code format} (bytes), {@code type} (classes), {@code handle} (objects by number),
 * {@code buffer} and {@code access} (fields). To make a kind of class faster, add an {@link
 * io.karmi.uka.marshal.ObjectMarshaler} that writes the same bytes, and choose it there.
 *
 * <p>Errors are the JDK's, at the same moment.
 */
@NullMarked
package io.karmi.uka.marshal;

import org.jspecify.annotations.NullMarked;
