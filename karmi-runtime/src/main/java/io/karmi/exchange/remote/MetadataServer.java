package io.karmi.exchange.remote;

import io.karmi.exchange.directory.Joined;
import io.karmi.messaging.Address;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.Objects;

/** The server of a space, as it is bound in a registry. No object of a group passes through it. */
public interface MetadataServer extends Remote {
  /**
   * Takes a member in.
   *
   * @param messaging how messages reach it
   * @param before generation of the directory that the member has known before; 0 for a new one
   * @param keeps whether the groups that it binds to keys outlive it
   */
  Registration register(Address messaging, int before, boolean keeps) throws RemoteException;

  /** Keys and groups, a line for each, and a given number of lines at most. */
  String[] list(int most) throws RemoteException;

  /** Numbers by name. */
  Map<String, Long> stats() throws RemoteException;

  /**
   * Unbinds a key, or ends a stored group by its address; only for callers of the server's host.
   *
   * @return whether there was one
   */
  boolean drop(String keyOrAddress) throws RemoteException;

  /**
   * A member that was taken in.
   *
   * @param membership all that it may change; who has it is the member
   */
  record Registration(Membership membership, Joined joined) implements Serializable {
    /** Checks that both are there. */
    public Registration {
      Objects.requireNonNull(membership, "membership");
      Objects.requireNonNull(joined, "joined");
    }
  }
}
