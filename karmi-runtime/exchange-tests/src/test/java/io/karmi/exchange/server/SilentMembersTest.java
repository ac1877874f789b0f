package io.karmi.exchange.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.remote.Membership;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.kit.Deadline;
import io.karmi.messaging.Address;
import io.karmi.rmi.Naming;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import org.junit.Test;

/**
 * Members that take no lease of what they were given: nothing else would tell the server that they
 * have ended.
 */
public class SilentMembersTest {
  private static final long SILENCE_MILLIS = 3_000;

  @Test
  public void membersThatAreSilentHaveEnded() throws Exception {
    try (ExchangeServer running = ExchangeServer.start(0, SILENCE_MILLIS)) {
      int port = running.port();
      MetadataServer server = (MetadataServer) Naming.lookup("//localhost:" + port + "/exchange");
      Membership silent = join(server, port);
      Membership other = join(server, port);
      Deadline.await("one is ended", () -> speaks(other) && members(running) == 1);
      assertThat(isGone(silent)).isTrue();
      assertThat(isGone(other)).isFalse();
    }
  }

  private static Membership join(MetadataServer server, int port) throws RemoteException {
    return server.register(Address.at("localhost", port), 0, false).membership();
  }

  private static boolean speaks(Membership member) throws RemoteException {
    member.begin(1);
    return true;
  }

  private static long members(ExchangeServer server) {
    return server.stats().get("members");
  }

  private static boolean isGone(Membership member) throws RemoteException {
    try {
      return !speaks(member);
    } catch (NoSuchObjectException e) {
      return true;
    }
  }
}
