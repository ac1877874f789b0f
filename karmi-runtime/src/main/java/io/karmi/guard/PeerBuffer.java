package io.karmi.guard;

import io.karmi.uka.buffer.InputBuffer;
import java.io.InvalidObjectException;

/**
 * Bytes of a peer. What reading them costs beyond their length counts for the peer's host: steps to
 * hash and compare, and objects that the JDK keeps for ever.
 *
 * <p>Not thread-safe.
 */
public abstract class PeerBuffer extends InputBuffer {
  /** A buffer of {@code bytes[position .. limit)}. */
  protected PeerBuffer(byte[] bytes, int position, int limit) {
    super(bytes, position, limit);
  }

  /** The peer's host, by which {@link Ledgers#work} tells hosts apart. */
  protected abstract Object host();

  @Override
  public final void work(long steps) throws InvalidObjectException {
    Ledgers.work(host(), steps);
  }

  @Override
  public final boolean boundsWork() {
    return true;
  }

  @Override
  public final void remember(Object object) throws InvalidObjectException {
    RememberedObjects.check(object);
  }
}
