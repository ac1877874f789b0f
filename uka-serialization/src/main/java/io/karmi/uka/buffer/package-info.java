/**
 * The lowest layer of a stream: byte arrays that marshalers read and write directly (paper 3.4).
 *
 * <p>{@link OutputBuffer} and {@link InputBuffer} know primitive values and nothing of objects.
 * Where bytes go to and come from is decided by subclasses: a stream drains into an {@code
 * OutputStream}, a technology into its own memory.
 *
 * <p>All values are little-endian at fixed width, except lengths and numbers of things, which are
 * LEB128.
 */
@NullMarked
package io.karmi.uka.buffer;

import org.jspecify.annotations.NullMarked;
