/**
 * Object streams with the semantics of {@code java.io}'s, but faster: the public API of
 * UKA-serialization.
 *
 * <p>Replace {@code ObjectOutputStream} by {@link io.karmi.uka.UkaObjectOutputStream} and {@code
 * ObjectInputStream} by {@link io.karmi.uka.UkaObjectInputStream}, subclasses included; nothing
 * else changes. {@link io.karmi.uka.UkaOptions} chooses among formats, {@link
 * io.karmi.uka.UkaAware} lets a class carry its own marshalers.
 *
 * <p>Only users of the library import this package. The implementation of the streams is in {@code
 * io.karmi.uka.engine}, the meaning of the bytes in {@code docs/wire-format.md}.
 */
@NullMarked
package io.karmi.uka;

import org.jspecify.annotations.NullMarked;
