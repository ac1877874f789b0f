/** The directory that comes with KaRMI: a remote object that keeps all in memory. */
@NullMarked
package io.karmi.exchange.server;

import org.jspecify.annotations.NullMarked;
