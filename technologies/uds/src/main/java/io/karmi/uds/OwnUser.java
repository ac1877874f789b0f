package io.karmi.uds;

import io.karmi.guard.OwnDirectory;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** Checks that peers run as the same user as this process. */
final class OwnUser {
  private OwnUser() {}

  /**
   * Checks that the process at the other end of a socket runs as the same user.
   *
   * @throws IOException if it does not. Where the JDK cannot tell, only the permissions of the
   *     directory protect
   */
  static void check(SocketChannel peer) throws IOException {
    UserPrincipal other;
    try {
      other = peer.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    } catch (LinkageError | UnsupportedOperationException e) {
      return; // without the module jdk.net
    }
    if (!other.equals(OwnDirectory.user())) {
      throw new IOException(
          "a process of user " + other + ", and this one is of " + OwnDirectory.user());
    }
  }
}
