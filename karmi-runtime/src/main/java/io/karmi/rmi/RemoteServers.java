package io.karmi.rmi;

import io.karmi.reference.CallContext;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;

/** The static methods of {@link RemoteServer}. */
public final class RemoteServers {
  private RemoteServers() {}

  /**
   * The address of the client whose call the current thread executes, on KaRMI or on stock RMI.
   *
   * @throws ServerNotActiveException outside a call
   */
  public static String getClientHost() throws ServerNotActiveException {
    return CallContext.isActive() ? CallContext.clientHost() : RemoteServer.getClientHost();
  }
}
