package io.karmi.uds;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** The user that this process runs as, and checks that peers run as the same one. */
final class OwnUser {
  private static @Nullable UserPrincipal known;

  private OwnUser() {}

  /** The user, as the owner of a file that this process makes. */
  static synchronized UserPrincipal principal() throws IOException {
    UserPrincipal user = known;
    if (user == null) {
      Path file = Files.createTempFile("karmi", null);
      try {
        user = Files.getOwner(file);
      } finally {
        Files.delete(file);
      }
      known = user;
    }
    return user;
  }

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
    if (!other.equals(principal())) {
      throw new IOException("a process of user " + other + ", and this one is of " + principal());
    }
  }
}
