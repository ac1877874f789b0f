/**
 * Object streams that do what those of {@code java.io} do, faster: what a user sees of
 * UKA-serialization.
 *
 * <p>Replace {@code ObjectOutputStream} by {@link io.karmi.uka.UkaObjectOutputStream} and {@code
 * ObjectInputStream} by {@link io.karmi.uka.UkaObjectInputStream}, subclasses included; nothing
 * else changes. {@link io.karmi.uka.UkaOptions} chooses among formats, {@link
 * io.karmi.uka.UkaAware} lets a class carry its own marshalers.
 *
 * <p>Nothing imports this package but users of the library. What the streams do is in {@code
 * io.karmi.uka.engine}, what the bytes mean in {@code docs/wire-format.md}.
 */
@NullMarked
package io.karmi.uka;

import org.jspecify.annotations.NullMarked;
