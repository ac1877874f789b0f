/**
 * Classes of the platform that have strategies of their own, and the choice of strategies.
 *
 * <p>{@link io.karmi.uka.codec.Strategies} chooses for all classes; {@code PlatformCodecs} is the
 * table of the platform's. A new one is a row there, and a class beside it that writes and reads
 * the bytes that the class's own methods would; if it is to be described in a byte, a row at the
 * end of {@code format.uka.PlatformDescriptions} too.
 */
@NullMarked
package io.karmi.uka.codec;

import org.jspecify.annotations.NullMarked;
