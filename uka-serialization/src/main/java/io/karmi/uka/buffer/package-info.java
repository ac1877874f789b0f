/**
 * Buffers: byte arrays that marshalers read and write directly (paper 3.4).
 *
 * <p>{@link OutputBuffer} and {@link InputBuffer} have primitive values and no objects. Subclasses
 * connect them with a stream or with the memory of a network. Values are little-endian at fixed
 * width; lengths and counts are LEB128.
 */
@NullMarked
package io.karmi.uka.buffer;

import org.jspecify.annotations.NullMarked;
