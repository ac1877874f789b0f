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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A connection that is cut before the peer has introduced itself, as a peer of stock RMI does. */
public class CutIntroductionTest {
  private static final String KARMI = "KRMI";

  /** The protocol of each connection, by its first four bytes. */
  private final List<String> protocols = new CopyOnWriteArrayList<>();

  private void cutTheFirst(Socket caller, int port) throws IOException {
    byte[] protocol = protocolOf(caller);
    if (protocols.size() > 1) {
      pass(caller, protocol, port);
    } // else it is closed
  }

  private void cutThoseOfKarmi(Socket caller, int port) throws IOException {
    byte[] protocol = protocolOf(caller);
    if (!Arrays.equals(protocol, KARMI.getBytes(StandardCharsets.US_ASCII))) {
      pass(caller, protocol, port);
    }
  }

  private byte[] protocolOf(Socket caller) throws IOException {
    byte[] protocol = caller.getInputStream().readNBytes(4);
    protocols.add(new String(protocol, StandardCharsets.US_ASCII));
    return protocol;
  }

  private static void pass(Socket caller, byte[] protocol, int port) throws IOException {
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
        assertThat(protocols).containsExactly(KARMI, "JRMI");
        Deadline.await(
            "KaRMI is tried again",
            () -> Arrays.equals(registry.list(), names) && protocols.size() > 2);
        assertThat(protocols.get(2)).isEqualTo(KARMI);
      }
    }
  }

  @Test
  public void peerOfStockRmiIsAskedOverKarmiOnceASecondByWhicheverStub() throws Exception {
    try (Jvm keeper = Jvm.start(Vault.class.getName(), "keeper")) {
      int port = Integer.parseInt(keeper.awaitLine("port "));
      try (ServingPort cutting = new ServingPort(caller -> cutThoseOfKarmi(caller, port))) {
        long begin = System.nanoTime();
        for (int i = 0; i < 20; i++) {
          LocateRegistry.getRegistry("127.0.0.1", cutting.port()).list();
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        assertThat(Collections.frequency(protocols, KARMI)).isBetween(1, 1 + (int) seconds);
      }
    }
  }
}
