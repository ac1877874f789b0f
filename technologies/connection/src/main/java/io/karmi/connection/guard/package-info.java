/**
 * What keeps a node safe from other ends that are slow, stopped, greedy or too many.
 *
 * <p>A {@link io.karmi.connection.guard.Watchdog} works in rounds. It closes what takes too long to
 * open; the timers {@link io.karmi.connection.guard.Patience} and {@link
 * io.karmi.connection.guard.SignsOfLife} tell it which open connections have to be closed. {@link
 * io.karmi.connection.guard.ConnectionLimit} bounds the connections of others, each of which has a
 * {@link io.karmi.connection.guard.Slot}. Bounds of memory and rates, which messages share, are in
 * {@link io.karmi.guard}.
 */
@NullMarked
package io.karmi.connection.guard;

import org.jspecify.annotations.NullMarked;
