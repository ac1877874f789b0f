package io.karmi.stock;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Remote interface by which a node asks another one about objects that both RMI runtimes know
 * there.
 */
public interface Counterparts extends Remote {
  /**
   * The stub that a peer without KaRMI can call.
   *
   * @param number of an object that KaRMI exports here
   * @throws java.rmi.NoSuchObjectException if there is no such object
   */
  Remote stockStub(long number) throws RemoteException;

  /**
   * KaRMI's stub of an object, asked for by the four numbers of its {@link
   * java.rmi.server.ObjID#write name in stock RMI}. They come as numbers: the caller may be a
   * stranger, from which no object is read.
   *
   * @return null if KaRMI does not export it
   */
  @Nullable Remote karmiStub(long number, int unique, long time, short count)
      throws RemoteException;
}
