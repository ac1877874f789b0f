package io.karmi.reference;

import io.karmi.id.ObjectId;
import java.rmi.Remote;
import java.rmi.server.RemoteRef;
import org.jspecify.annotations.Nullable;

/** What a node that joins two technology domains does besides; {@code io.karmi.bridge} does it. */
public interface Bridging {
  /**
   * An object of this node that forwards calls.
   *
   * @param object keeps it exported as long as it is reachable
   * @param id how it is called
   */
  record Forwarder(Remote object, ObjectId id) {}

  /**
   * What forwards calls to an object of another node.
   *
   * @param reference a {@link ClientRef}
   * @param host whose it is, where there is none yet: the host that gets the reference
   * @return null if it cannot be forwarded to
   */
  @Nullable Forwarder forwarder(RemoteRef reference, String host);
}
