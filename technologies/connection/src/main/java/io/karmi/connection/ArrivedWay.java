package io.karmi.connection;

import io.karmi.id.TechnologyId;
import org.jspecify.annotations.Nullable;

/**
 * What the way of a reference is resolved to that its owner has sent over a connection of its own:
 * the owner may be called back over connections of the same node. Thread-safe.
 */
final class ArrivedWay implements TechnologyId.CallsBack {
  final PeerIdentity owner;

  /** For calls that do not go back; null until there is one. */
  volatile @Nullable ConnectionPool pool;

  ArrivedWay(PeerIdentity owner) {
    this.owner = owner;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ArrivedWay && ((ArrivedWay) other).owner.equals(owner);
  }

  @Override
  public int hashCode() {
    return owner.hashCode();
  }
}
