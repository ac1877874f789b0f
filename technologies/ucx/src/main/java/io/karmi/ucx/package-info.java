/**
 * The technology of UCX, for hosts that share a network such as InfiniBand.
 *
 * <p>A connection is a worker of UCX at each end, and the TCP connection over which the ends met.
 * TCP carries the introductions and the addresses of the workers, and its end shows that the other
 * process has gone, however it ended. Calls go as active messages, each with a token that only the
 * other end knows.
 *
 * <p>UCX trusts its network: below the active messages is native code that was not made for hostile
 * peers. So this technology is used only if the host has such a network, or the user asks for it.
 */
@NullMarked
package io.karmi.ucx;

import org.jspecify.annotations.NullMarked;
