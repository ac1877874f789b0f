package io.karmi.exchange.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.server.ExchangeServer;
import io.karmi.exchange.server.ServerDirectories;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Address;
import java.util.HashSet;
import java.util.Set;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** The directory that comes with KaRMI. */
public class ServerDirectoryTest extends DirectoryContract {
  private final int port = FreePort.any();
  private ExchangeServer server;
  private String url;

  /** Gets a port. */
  public ServerDirectoryTest() throws Exception {}

  @Before
  public void start() throws Exception {
    server = ExchangeServer.start(port);
    url = "//localhost:" + port + "/exchange";
  }

  @After
  @Override
  public void leaveAll() throws Exception {
    super.leaveAll();
    server.close();
  }

  /** Else an address could name two groups, one of each server. */
  @Test
  public void serversThatFollowEachOtherAtOnceHaveDifferentGenerations() throws Exception {
    Set<Integer> generations = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      generations.add(member(10).directory.joined().generation());
      leaveAll();
      start();
    }
    assertThat(generations).hasSize(3);
  }

  @Override
  protected Directory join(Address messaging) throws Exception {
    return new ServerDirectories().join(url, messaging);
  }
}
