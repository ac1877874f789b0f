/**
 * Immutable groups of objects that the JVMs of a cluster share. {@link
 * io.karmi.exchange.ExchangeSpace} is the entry; docs/exchange.md shows a program.
 *
 * <p>A group is marshalled once, into a file. JVMs of its owner's host read that file; other hosts
 * fetch it once, by messages. A directory ({@code io.karmi.exchange.directory}) says who has what,
 * and no object passes through it.
 */
@NullMarked
package io.karmi.exchange;

import org.jspecify.annotations.NullMarked;
