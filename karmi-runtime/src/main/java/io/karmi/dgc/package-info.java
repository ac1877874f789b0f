/**
 * Pluggable distributed garbage collection (paper 4.4): what the runtime asks of a collector.
 *
 * <p>A {@link io.karmi.dgc.Collector} is told of references that arrive in this node and of those
 * that are not held here any more; it exchanges messages with the collectors of other nodes,
 * through {@link io.karmi.dgc.Messenger}; and it tells the owner of exported objects which of them
 * are referenced from afar ({@link io.karmi.dgc.ExportedObjects}). The reference layer implements
 * the last two. A collector knows nothing of technologies, stubs or calls, and never calls {@link
 * System#gc}.
 *
 * <p>{@code lease} is for all networks; {@code counting} is for those whose connections last as
 * long as the processes at their ends. Neither trusts other nodes. A {@link
 * io.karmi.dgc.CollectorProvider} adds another.
 */
@NullMarked
package io.karmi.dgc;

import org.jspecify.annotations.NullMarked;
