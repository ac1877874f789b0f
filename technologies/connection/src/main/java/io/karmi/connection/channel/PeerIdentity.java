package io.karmi.connection.channel;

import io.karmi.id.NodeId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Proven identity of the other end of a connection: equal for two connections only if they lead to
 * the same node. A node's id alone proves nothing, because it is in each of its references.
 *
 * <p>A node shows a token with each connection that it opens to an address, always the same one and
 * a different one for each address; so a peer that shows the same id and the same token is the node
 * that has shown them before, and only the node that it is shown to learns a token. Over TLS the
 * certificate must be the same, too. Immutable.
 */
public final class PeerIdentity implements Comparable<PeerIdentity> {
  public final NodeId node;
  private final long token;

  /** What the network has proven, such as a certificate; null for nothing. */
  public final @Nullable Object credential;

  /**
   * Makes the identity of a node.
   *
   * @param token the token that it has shown, or was shown
   * @param credential what the network has proven, such as a certificate; null for nothing
   */
  public PeerIdentity(NodeId node, long token, @Nullable Object credential) {
    this.node = node;
    this.token = token;
    this.credential = credential;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (other == this) {
      return true;
    }
    return other instanceof PeerIdentity
        && ((PeerIdentity) other).token == token
        && ((PeerIdentity) other).node.equals(node)
        && Objects.equals(((PeerIdentity) other).credential, credential);
  }

  @Override
  public int hashCode() {
    return node.hashCode() * 31 + Long.hashCode(token);
  }

  /** An order in which only those are equal that differ in their credentials at most. */
  @Override
  public int compareTo(PeerIdentity other) {
    int order = Long.compare(node.high(), other.node.high());
    if (order == 0) {
      order = Long.compare(node.low(), other.node.low());
    }
    return order == 0 ? Long.compare(token, other.token) : order;
  }

  /** Without the token, which is a secret. */
  @Override
  public String toString() {
    return "node " + node + (credential == null ? "" : " with a credential");
  }
}
