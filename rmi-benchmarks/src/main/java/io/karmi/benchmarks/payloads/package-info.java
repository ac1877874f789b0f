/**
 * What is passed as {@code obj}: the object factories of the paper's section 6.1.
 *
 * <p>The classes are what an application would write, plain {@link java.io.Serializable}s with
 * private fields, and import nothing but {@code java.*}. A new payload is a constant of {@link
 * Payload}; every kernel then runs with it.
 */
@NullMarked
package io.karmi.benchmarks.payloads;

import org.jspecify.annotations.NullMarked;
