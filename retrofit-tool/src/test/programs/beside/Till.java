package beside;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Till extends Remote {
  int total(Basket basket) throws RemoteException;
}
