package io.karmi.uds;

import io.karmi.settings.Settings;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.file.FileSystems;

/**
 * Provider of a technology between processes of one user on one host, where the settings allow it
 * and the system can tell users apart.
 */
public abstract class LocalProvider implements TechnologyProvider {
  /** For subclasses. */
  protected LocalProvider() {}

  /** Makes the technology. */
  protected abstract Technology openHere(UpCall upCall) throws IOException;

  @Override
  public final Technology open(UpCall upCall) throws IOException {
    if (Settings.isTlsOn()) {
      throw new IOException("karmi.tls=" + Settings.TLS.get() + ": all calls use TLS, and so TCP");
    }
    if (Settings.VIRTUAL_THREADS.isOn()) {
      throw new IOException("karmi.virtualThreads: those can wait in TCP sockets only");
    }
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      throw new IOException("files of this system have no owners and permissions");
    }
    return openHere(upCall);
  }
}
