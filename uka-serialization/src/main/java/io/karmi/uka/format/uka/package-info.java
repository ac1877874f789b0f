/**
 * The UKA format: slim descriptions, one byte for most tokens, little-endian blocks.
 *
 * <p>{@code docs/wire-format.md} is its specification. A new token is a constant of {@code
 * UkaTokens}, with its reading in {@link io.karmi.uka.format.uka.UkaFormatReader} and its writing
 * in {@link io.karmi.uka.format.uka.UkaFormatWriter}.
 */
@NullMarked
package io.karmi.uka.format.uka;

import org.jspecify.annotations.NullMarked;
