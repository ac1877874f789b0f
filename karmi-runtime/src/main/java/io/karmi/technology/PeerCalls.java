package io.karmi.technology;

/**
 * Calls between this node and those of one host, over one technology.
 *
 * @param peer the host, as a callee is told it
 * @param made calls by this node, messages of collectors included
 * @param served calls by the others
 */
public record PeerCalls(String peer, long made, long served) {
  /** The sum of both, of the same peer. */
  public PeerCalls plus(PeerCalls other) {
    return new PeerCalls(peer, made + other.made, served + other.served);
  }
}
