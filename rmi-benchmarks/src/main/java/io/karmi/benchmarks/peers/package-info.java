/**
 * The kernels on what KaRMI is compared with beside stock RMI: Dirmi, gRPC, and a socket, which
 * carries as many bytes and does nothing else.
 *
 * <p>These programs are written for their peer, unlike those of {@code kernels}; they measure with
 * the same {@link io.karmi.benchmarks.measure.Sampler}. A client's arguments are its number and the
 * server's {@code host:port}.
 */
@NullMarked
package io.karmi.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
