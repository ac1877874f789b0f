package io.karmi.benchmarks.startup.remote;

import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;

/** Calls a {@link Directory} once, prints the answer, and lets the server end. */
public final class DirectoryClient {
  private DirectoryClient() {}

  /** The argument is the port of the server's registry. */
  public static void main(String[] arguments) throws RemoteException, NotBoundException {
    Directory directory =
        (Directory)
            LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(arguments[0]))
                .lookup("directory");
    System.out.println(directory.find(new Query("karmi", 42, 43)));
    directory.close();
  }
}
