/**
 * The technology of UCX, for hosts that share a network such as InfiniBand.
 *
 * <p>A connection is a worker of UCX at each end, and the TCP connection over which the ends met:
 * it carries the introductions and the addresses of the workers, and its end tells that the other
 * process has gone, however it ended. Calls go as active messages; each names a token that only the
 * other end knows.
 *
 * <p>UCX trusts its network: what is below the active messages is native code that was not made for
 * enemies. So nothing here is used unless the host has such a network, or the user asks for it.
 */
@NullMarked
package io.karmi.ucx;

import org.jspecify.annotations.NullMarked;
