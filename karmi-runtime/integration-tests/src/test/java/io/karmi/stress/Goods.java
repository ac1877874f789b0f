package io.karmi.stress;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** The remote interfaces of the stress test. */
final class Goods {
  /** What is passed around. */
  interface Item extends Remote {
    int number() throws RemoteException;
  }

  /** Makes items, and keeps none of them. */
  interface Warehouse extends Remote {
    Item make() throws RemoteException;

    void enlist(Customer customer) throws RemoteException;

    List<Customer> customers() throws RemoteException;
  }

  /** Holds items, and passes them on. */
  interface Customer extends Remote {
    void take(Item item) throws RemoteException;

    Item give() throws RemoteException;
  }

  private Goods() {}
}
