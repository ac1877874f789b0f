/**
 * Wire formats: the bytes of tokens, descriptions, lengths and primitives.
 *
 * <p>{@link io.karmi.uka.format.FormatWriter} and {@link io.karmi.uka.format.FormatReader} are the
 * seam between the engine, which knows Java's serialization semantics and is written once, and the
 * formats, which know bytes. The UKA format is in {@code format.uka}, the JDK's own in {@code
 * format.jdk}. All formats share one grammar, shown at {@code FormatWriter}. {@code FrameOutput}
 * and {@code FrameInput} are the buffers of a stream that frames its messages itself.
 *
 * <p>Bytes that cannot be right are a {@link java.io.StreamCorruptedException}. So are bytes in
 * frames that end inside a value; otherwise bytes that end too early are an {@link
 * java.io.EOFException}.
 */
@NullMarked
package io.karmi.uka.format;

import org.jspecify.annotations.NullMarked;
