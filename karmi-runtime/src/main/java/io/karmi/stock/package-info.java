/**
 * Service for peers without KaRMI, at the same ports: the JDK's own RMI runtime stays in this JVM,
 * and serves them.
 *
 * <p>A technology that finds JRMP at the beginning of a connection hands the socket over to {@link
 * io.karmi.stock.StockSide}, which puts it into the accept queue of stock RMI ({@link
 * io.karmi.stock.PortSockets}). Objects that KaRMI exports are exported there once more, at the
 * same port, as soon as this JVM has met stock RMI: so arguments, exceptions, filters and
 * distributed garbage collection are those of stock RMI, and an object lives as long as either
 * runtime refers to it. References cross as stubs of the runtime that reads them. What a node does
 * not know of another node's object it asks that node for ({@link io.karmi.stock.Counterparts}).
 *
 * <p>Nothing here starts, and no class of stock RMI's transport is loaded, while all peers have
 * KaRMI.
 */
@NullMarked
package io.karmi.stock;

import org.jspecify.annotations.NullMarked;
