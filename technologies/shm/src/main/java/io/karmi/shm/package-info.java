/**
 * The technology of shared memory, for processes of one user on one host.
 *
 * <p>A connection is two rings in a file that both processes map, {@link io.karmi.ring.RingMemory},
 * and the Unix-domain socket over which they met. The socket wakes an end that sleeps, and its end
 * shows that the other process has gone. No native code is needed.
 */
@NullMarked
package io.karmi.shm;

import org.jspecify.annotations.NullMarked;
