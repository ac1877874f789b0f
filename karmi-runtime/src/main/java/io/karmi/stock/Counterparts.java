package io.karmi.stock;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ObjID;
import org.jspecify.annotations.Nullable;

/** What one node asks another about objects that both runtimes of RMI know there. */
public interface Counterparts extends Remote {
  /**
   * The stub that a peer without KaRMI can call.
   *
   * @param number of an object that KaRMI exports here
   * @throws java.rmi.NoSuchObjectException if there is no such object
   */
  Remote stockStub(long number) throws RemoteException;

  /**
   * KaRMI's stub of an object.
   *
   * @param id its name in stock RMI
   * @return null if KaRMI does not export it
   */
  @Nullable Remote karmiStub(@Nullable ObjID id) throws RemoteException;
}
