package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.Registry;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Test;

/** A connection that is cut before the peer has introduced itself, as a peer of stock RMI does. */
public class CutIntroductionTest {
  /** The protocol of each connection, by its first four bytes. */
  private final List<String> protocols = new CopyOnWriteArrayList<>();

  private void cutTheFirst(Socket caller, int port) throws IOException {
    byte[] protocol = caller.getInputStream().readNBytes(4);
    protocols.add(new String(protocol, StandardCharsets.US_ASCII));
    if (protocols.size() == 1) {
      return; // which closes it
    }
    try (Socket callee = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      callee.getOutputStream().write(protocol);
      ServingPort.start(() -> Relay.pass(callee, caller));
      Relay.pass(caller, callee);
    }
  }

  @Test
  public void registryIsAskedOverKarmiAgainSoon() throws Exception {
    try (Jvm keeper = Jvm.start(Vault.class.getName(), "keeper")) {
      int port = Integer.parseInt(keeper.awaitLine("port "));
      try (ServingPort cutting = new ServingPort(caller -> cutTheFirst(caller, port))) {
        Registry registry = LocateRegistry.getRegistry("127.0.0.1", cutting.port());
        String[] names = {"vault"};
        assertThat(registry.list()).isEqualTo(names);
        assertThat(protocols).containsExactly("KRMI", "JRMI");
        Deadline.await(
            "KaRMI is tried again",
            () -> Arrays.equals(registry.list(), names) && protocols.size() > 2);
        assertThat(protocols.get(2)).isEqualTo("KRMI");
      }
    }
  }
}
