/**
 * Codecs of the platform's classes, and the choice of strategies.
 *
 * <p>{@link io.karmi.uka.codec.Strategies} chooses for all classes; {@link
 * io.karmi.uka.codec.PlatformCodecs} is the table of the platform's. A codec is one file for one
 * family of classes. A new class is a row of the table, and a case of its family's codec or a codec
 * of its own. {@code Elements}, {@code SortedElements} and {@code TimeForms} are parts of codecs.
 */
@NullMarked
package io.karmi.uka.codec;

import org.jspecify.annotations.NullMarked;
