package io.karmi.connection;

import org.jspecify.annotations.Nullable;

/**
 * What the way of a reference is resolved to that its owner has sent over a connection of its own:
 * the owner may be called back over connections of the same node. Thread-safe.
 */
final class ArrivedWay {
  final PeerIdentity owner;

  /** For calls that do not go back; null until there is one. */
  volatile @Nullable ConnectionPool pool;

  ArrivedWay(PeerIdentity owner) {
    this.owner = owner;
  }
}
