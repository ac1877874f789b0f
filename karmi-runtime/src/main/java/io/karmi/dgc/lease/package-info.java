/**
 * RMI's distributed garbage collection: holders take out leases, and renew them while they hold
 * references.
 *
 * <p>Made for networks where messages are lost, late or doubled and nodes die unseen. A holder says
 * <em>dirty</em> when the first reference to an object arrives and <em>clean</em> when the last is
 * gone; each message has a sequence number, and an owner ignores a message that is older than the
 * last. An owner forgets a holder whose lease has expired. Holders ({@link
 * io.karmi.dgc.lease.HeldReferences}) and owners ({@link io.karmi.dgc.lease.GrantedLeases}) share
 * nothing but the message, of which {@link io.karmi.dgc.lease.LeaseMessage} gives the layout.
 */
@NullMarked
package io.karmi.dgc.lease;

import org.jspecify.annotations.NullMarked;
