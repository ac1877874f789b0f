package io.karmi.exchange.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.remote.MetadataServer;
import io.karmi.kit.Jvm;
import io.karmi.rmi.Naming;
import java.rmi.server.ExportException;
import org.junit.Test;

/** Servers at a port that the system chooses. */
public class ServerPortTest {
  private static MetadataServer at(int port) throws Exception {
    return (MetadataServer) Naming.lookup("//localhost:" + port + "/exchange");
  }

  @Test
  public void serverIsFoundAtThePortThatItTellsAndTheNextOneStartsThereToo() throws Exception {
    int port;
    try (ExchangeServer server = ExchangeServer.start(0)) {
      port = server.port();
      assertThat(port).isPositive();
      at(port).list(1);
      assertThat(server.stats()).containsEntry("calls", 1L);
    }
    try (ExchangeServer next = ExchangeServer.start(0)) {
      assertThat(next.port()).isEqualTo(port);
      at(port).list(1);
    }
  }

  @Test
  public void secondServerAtAPortDoesNotTakeTheMembersOfTheFirst() throws Exception {
    try (ExchangeServer server = ExchangeServer.start(0)) {
      for (int port : new int[] {0, server.port()}) {
        assertThatThrownBy(() -> ExchangeServer.start(port))
            .isInstanceOf(ExportException.class)
            .hasMessageContaining("port " + server.port());
      }
      at(server.port()).list(1);
      assertThat(server.stats()).containsEntry("calls", 1L);
    }
  }

  @Test
  public void theCommandPrintsThePort() throws Exception {
    try (Jvm server = Jvm.start(KarmiExchange.class.getName(), "0")) {
      int port = Integer.parseInt(server.awaitLine("karmi-exchange listens on port "));
      assertThat(port).isPositive();
      assertThat(at(port).list(1)).isEmpty();
    }
  }
}
