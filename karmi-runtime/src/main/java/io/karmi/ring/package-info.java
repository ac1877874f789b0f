/**
 * Rings of bytes that carry messages from the threads of one process to one consumer, in this
 * process or another.
 *
 * <p>{@link io.karmi.ring.RingMemory} is the memory: the ring itself and four words of control,
 * each on cache lines of its own. {@link io.karmi.ring.RingWriter} is the end of one producer,
 * {@link io.karmi.ring.OutgoingRing} that of many (the outgoing ring buffer of DXNet, section IV,
 * with its catch-up buffer), and {@link io.karmi.ring.RingReader} the end of the consumer.
 * Positions are counts of bytes since the ring was made, 64 bits wide, so that nothing wraps in a
 * ring's life.
 *
 * <p>The ring of many producers lies in {@linkplain io.karmi.ring.RingPagePool pages}, which it has
 * only while bytes lie in them; that of one producer in one piece, which may be shared. The
 * consumer may then be another process that shares the memory. What it writes into the control
 * words is a claim: a position that cannot be is a {@link io.karmi.ring.RingCorruptedException}.
 *
 * <p>Nothing is allocated per message after a ring was made, and nothing here blocks: the caller
 * decides whether and how to wait ({@link io.karmi.ring.SpinLimit} helps to decide how long to spin
 * first).
 */
@NullMarked
package io.karmi.ring;

import org.jspecify.annotations.NullMarked;
