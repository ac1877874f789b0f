/**
 * The engine: Java's serialization semantics for all wire formats.
 *
 * <p>{@code engine.write} and {@code engine.read} do not depend on each other; this package has
 * their common parts. The engine numbers objects and types, and applies the rules. Objects of a
 * class are written and read by {@code strategy} and {@code codec}, bytes by {@code format}. {@code
 * docs/how-it-reads.md} follows one object through it.
 */
@NullMarked
package io.karmi.uka.engine;

import org.jspecify.annotations.NullMarked;
