/**
 * The paper's kernels that test RMI between two nodes (section 6.1a), as a program for stock RMI.
 *
 * <p>{@link KernelServer} and {@link KernelClient} run in two JVMs and import nothing but {@code
 * java.*}: whatever stack is measured is swapped in under them. The client checks every kernel's
 * results before it times them, and prints one {@link io.karmi.benchmarks.measure.Measurement} per
 * kernel.
 */
@NullMarked
package io.karmi.benchmarks.kernels;

import org.jspecify.annotations.NullMarked;
