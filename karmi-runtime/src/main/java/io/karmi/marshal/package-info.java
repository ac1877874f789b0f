/**
 * Marshalling of calls: arguments and results on their way into and out of a technology's memory.
 *
 * <p>Stubs and skeletons write to a {@link io.karmi.marshal.CallOutput} and read from a {@link
 * io.karmi.marshal.CallInput}. Primitive values go straight into the buffer that the technology
 * lends; objects pass through an object stream of the {@link io.karmi.marshal.CallFormat} that the
 * connection has agreed on, opened when the first object comes. Above lies the reference layer,
 * which tells the format how remote objects cross ({@link io.karmi.marshal.RemoteTranslation});
 * below lie the buffers of {@code io.karmi.uka.buffer}.
 *
 * <p>A new format is one more implementation of {@code CallFormat}; nothing in a call is wired to
 * one of them.
 */
@NullMarked
package io.karmi.marshal;

import org.jspecify.annotations.NullMarked;
