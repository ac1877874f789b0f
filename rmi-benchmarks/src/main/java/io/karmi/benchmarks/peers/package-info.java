/**
 * The kernels on what KaRMI is compared with beside stock RMI: Dirmi, and a bare socket that
 * carries as many bytes.
 *
 * <p>These programs are written for their peer, unlike those of {@code kernels}; they measure with
 * the same {@link io.karmi.benchmarks.measure.Sampler}.
 */
@NullMarked
package io.karmi.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
