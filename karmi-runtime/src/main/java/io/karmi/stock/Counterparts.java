package io.karmi.stock;

import java.rmi.Remote;
import java.rmi.RemoteException;
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
   * KaRMI's stub of an object, asked for by the four numbers of its {@link
   * java.rmi.server.ObjID#write name in stock RMI}. They come as such: who asks may be a stranger,
   * of whom no object is read.
   *
   * @return null if KaRMI does not export it
   */
  @Nullable Remote karmiStub(long number, int unique, long time, short count)
      throws RemoteException;
}
