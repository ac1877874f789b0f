/**
 * Measures from inside the client's JVM: time, allocation, bytes on the wire, and first of all that
 * results are right.
 *
 * <p>Imports nothing but {@code java.*}, as the programs that use it do.
 */
@NullMarked
package io.karmi.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
