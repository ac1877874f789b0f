package io.karmi.exchange.directory;

import io.karmi.exchange.server.ExchangeServer;
import io.karmi.exchange.server.ServerDirectories;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Address;
import org.junit.After;
import org.junit.Before;

/** The directory that comes with KaRMI. */
public class ServerDirectoryTest extends DirectoryContract {
  private ExchangeServer server;
  private String url;

  @Before
  public void start() throws Exception {
    int port = FreePort.any();
    server = ExchangeServer.start(port);
    url = "//localhost:" + port + "/exchange";
  }

  @After
  @Override
  public void leaveAll() throws Exception {
    super.leaveAll();
    server.close();
  }

  @Override
  protected Directory join(Address messaging) throws Exception {
    return new ServerDirectories().join(url, messaging);
  }
}
