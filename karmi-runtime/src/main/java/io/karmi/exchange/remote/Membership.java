package io.karmi.exchange.remote;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.DroppedKey;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Report;
import io.karmi.messaging.Address;
import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * What one member may ask and change. Its stub is what proves who the member is. The member is
 * taken for dead when no one refers to this object any more.
 */
public interface Membership extends Remote {
  /**
   * Names the host, and what an earlier server has told; see {@link
   * io.karmi.exchange.directory.Directory}, as for the others.
   */
  void begin(long host, DroppedKey... dropped) throws RemoteException;

  /** Reports changes. */
  Report.Answer update(Report changes) throws RemoteException;

  /**
   * Binds a key; after a restart one that is not to be replaced is waited for, as by a lookup.
   *
   * @param order 0 to bind it now; else the number that the binding had before a restart
   */
  Report.Answer bind(String key, GroupAddress group, boolean replace, long order, Report changes)
      throws RemoteException, KeyTakenException, InterruptedException;

  /**
   * An answer that told of these groups has come, and what it told is done; until then each answer
   * tells of them.
   *
   * @param droppedKeys number of the last dropped key that is known
   */
  void heard(GroupAddress[] unbound, GroupAddress[] dropped, int droppedKeys)
      throws RemoteException;

  /** Finds a key. */
  @Nullable Found lookup(String key, long waitMillis) throws RemoteException, InterruptedException;

  /** Finds who can send a group; after a restart waits until someone has told of it. */
  Address[] holders(GroupAddress group) throws RemoteException, InterruptedException;

  /** Ends the membership. */
  void leave() throws RemoteException;
}
