/**
 * The counting collector (paper 4.4), for networks whose connections last as long as the processes
 * at their ends: no leases, no periodic messages, and no message at all for most references.
 *
 * <p>A holder keeps a line open to each owner, on which the owner keeps an account: how often each
 * of its objects was sent to that holder. That number is the weight of the reference. The owner
 * counts while it sends, so a reference that comes from the owner itself needs no message; one that
 * comes from a third node is claimed once. When no reference is left the holder gives the whole
 * weight back in one message; if the object has been sent again meanwhile, the rest stays. When the
 * line is gone the holder has lost its references, at once.
 *
 * <pre>
 *   holder                         owner
 *     |== line: OPEN account =========>|
 *     |--- call f ------------------->|
 *     |&lt;--------- result: reference --|   account: weight 1
 *     |&lt;--------- the same again -----|   account: weight 2
 *     |--- RELEASE, weight 2 -------->|   account: empty, the object is let go
 * </pre>
 *
 * <p>Accounts are kept for each place at which a node is known, and their numbers are secrets of
 * holder and owner. So neither a reference that names another place nor a node that claims
 * another's id changes a count.
 *
 * <p>Weights are not divided among holders, as textbooks do: the share of a holder that dies would
 * take with it what it has passed on.
 *
 * <p>Limits: if a connection fails in the middle of a message while both ends go on, an object may
 * not be collected before the holder ends. An owner that accepts no connections, for example behind
 * NAT, gets no messages: use the lease collector there.
 */
@NullMarked
package io.karmi.dgc.counting;

import org.jspecify.annotations.NullMarked;
