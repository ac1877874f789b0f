package io.karmi.reference.network;

import io.karmi.id.ObjectId;
import java.rmi.Remote;
import java.rmi.server.RemoteRef;
import org.jspecify.annotations.Nullable;

/** Forwarding of calls between two technology domains; {@code io.karmi.bridge} implements it. */
public interface Bridging {
  /**
   * An object of this node that forwards calls.
   *
   * @param object keeps it exported as long as it is reachable
   * @param id its name
   */
  record Forwarder(Remote object, ObjectId id) {}

  /**
   * The object of this node that forwards calls to an object of another one.
   *
   * @param reference of KaRMI, to an object of another node
   * @param host the host that gets the reference, to which a new object is charged
   * @return null if it cannot be forwarded to
   */
  @Nullable Forwarder forwarder(RemoteRef reference, String host);
}
