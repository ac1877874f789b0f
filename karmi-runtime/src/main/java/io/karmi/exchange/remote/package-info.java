/**
 * The directory's server as members see it: its remote interfaces, and the directory that asks it.
 */
@NullMarked
package io.karmi.exchange.remote;

import org.jspecify.annotations.NullMarked;
