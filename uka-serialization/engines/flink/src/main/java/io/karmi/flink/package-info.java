/**
 * Flink's generic types in UKA's format.
 *
 * <p>{@link io.karmi.flink.UkaKryoSerializer} goes below Flink's own serializer of generic types,
 * by one line of configuration and without a change of programs; its records describe their
 * classes. {@link io.karmi.flink.UkaSlimKryoSerializer} is the same with short records, for classes
 * that do not change. {@link io.karmi.flink.UkaTypeInfoFactory} gives a class a serializer of its
 * own, whose snapshot keeps the descriptions of classes. In the first and the last a class may
 * change as {@code java.io} allows between a savepoint and its restoration; the second refuses
 * records of another version.
 *
 * <p>Invalid bytes are an {@link java.io.IOException}, in Kryo's exception where Kryo is in
 * between.
 */
@NullMarked
package io.karmi.flink;

import org.jspecify.annotations.NullMarked;
