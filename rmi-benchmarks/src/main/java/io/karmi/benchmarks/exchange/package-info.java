/**
 * Large values for several JVMs of a host: by the exchange space, and by a socket with Kryo or UKA.
 */
@NullMarked
package io.karmi.benchmarks.exchange;

import org.jspecify.annotations.NullMarked;
