package io.karmi.uds;

import io.karmi.connection.ConnectionSettings;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.file.FileSystems;

/** Makes the technology of Unix-domain sockets; found by name, or as a service. */
public final class UdsProvider implements TechnologyProvider {
  /** For the service loader. */
  public UdsProvider() {}

  @Override
  public String name() {
    return Uds.NAME;
  }

  @Override
  public Technology open(UpCall upCall) throws IOException {
    String tls = System.getProperty("karmi.tls", "false");
    if (!tls.isEmpty() && !tls.equals("false")) {
      throw new IOException("karmi.tls=" + tls + ": all calls use TLS, and so TCP");
    }
    if (Boolean.getBoolean("karmi.virtualThreads")) {
      throw new IOException("karmi.virtualThreads: those can wait in TCP sockets only");
    }
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      throw new IOException("files of this system have no owners and permissions");
    }
    return new UdsTechnology(
        upCall, new ConnectionSettings(System::getProperty), SocketDirectory.configured());
  }
}
