package io.karmi.connection.pool;

import io.karmi.connection.channel.PeerIdentity;
import io.karmi.id.TechnologyId;
import org.jspecify.annotations.Nullable;

/**
 * Resolution of a way, for a reference that its owner has sent over a connection that it has opened
 * itself. The owner may be called back over connections of the same node. Thread-safe.
 */
public final class ArrivedWay implements TechnologyId.CallsBack {
  public final PeerIdentity owner;

  /** The pool for calls that do not go back; null until there is one. */
  volatile @Nullable ConnectionPool pool;

  /** The way back to a node. */
  public ArrivedWay(PeerIdentity owner) {
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
