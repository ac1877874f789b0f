package io.karmi.registry;

import io.karmi.reference.CallContext;
import io.karmi.reference.Privileged;
import io.karmi.settings.Settings;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.rmi.AccessException;
import java.rmi.server.ServerNotActiveException;

/**
 * Permission to change a registry: the local host has it, and with {@code
 * -Dkarmi.registry.remoteWrites=true} every host.
 */
final class WritePermission {
  private WritePermission() {}

  /**
   * Checks the client whose call this thread executes.
   *
   * @throws AccessException if it may not write
   */
  static void check(String operation) throws AccessException {
    if (Privileged.get(() -> Settings.REMOTE_WRITES.isOn())) {
      return;
    }
    try {
      InetAddress client = InetAddress.getByName(CallContext.clientHost());
      if (client.isAnyLocalAddress()) {
        throw new AccessException(operation + " disallowed; origin unknown");
      }
      if (!client.isLoopbackAddress() && NetworkInterface.getByInetAddress(client) == null) {
        throw new AccessException(
            operation + " disallowed; origin " + client + " is non-local host");
      }
    } catch (ServerNotActiveException e) {
      return; // a caller in this JVM
    } catch (UnknownHostException e) {
      throw new AccessException(operation + " disallowed; origin is unknown host");
    } catch (SocketException e) {
      throw new AccessException(operation + " disallowed; local addresses are unknown", e);
    }
  }
}
