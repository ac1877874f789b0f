package io.karmi.exchange.remote;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.DirectoryProvider;
import io.karmi.messaging.Address;
import java.io.IOException;

/** Directories by the server that comes with KaRMI, by RMI URLs. */
public final class ServerDirectories implements DirectoryProvider {
  /** For the exchange space. */
  public ServerDirectories() {}

  @Override
  public boolean accepts(String url) {
    return url.startsWith("//") || url.startsWith("rmi:");
  }

  @Override
  public Directory join(String url, Address messaging) throws IOException {
    return new ServerDirectory(url, messaging);
  }
}
