package app;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;

/** A registry of this JVM, and its port. */
record OpenRegistry(int port, Registry registry) {
  /** A new one, at a port that is free: another one where a process has taken it meanwhile. */
  static OpenRegistry atAnyPort() throws IOException {
    while (true) {
      int port;
      try (ServerSocket free = new ServerSocket(0)) {
        port = free.getLocalPort();
      }
      try {
        return new OpenRegistry(port, LocateRegistry.createRegistry(port));
      } catch (ExportException e) {
        if (!(e.getCause() instanceof BindException)) {
          throw e;
        }
      }
    }
  }
}
