/**
 * Tables of the objects of one message, by number (paper 3.3). They are cleared for each message;
 * tables of types are not.
 *
 * <p>{@link io.karmi.uka.handle.HandleTable} serves the writer, {@link
 * io.karmi.uka.handle.ReadHandleTable} the reader. They know nothing of classes or bytes, and keep
 * no object alive once cleared.
 */
@NullMarked
package io.karmi.uka.handle;

import org.jspecify.annotations.NullMarked;
