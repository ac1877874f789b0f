/**
 * The engine: Java's serialization semantics, written once for all wire formats.
 *
 * <p>{@code engine.write} and {@code engine.read} are its halves, which do not know each other;
 * here is what they share. The engine numbers objects and types and keeps the rules. It knows
 * neither how objects of one class look, which is the affair of {@code strategy} and {@code codec},
 * nor bytes, which are that of {@code format}. {@code docs/how-it-reads.md} follows one object
 * through it.
 */
@NullMarked
package io.karmi.uka.engine;

import org.jspecify.annotations.NullMarked;
