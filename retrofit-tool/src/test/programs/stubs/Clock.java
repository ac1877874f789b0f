package stubs;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Clock extends Remote {
  String time() throws RemoteException;
}
