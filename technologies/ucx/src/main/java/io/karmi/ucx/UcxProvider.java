package io.karmi.ucx;

import io.karmi.settings.Settings;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.util.Arrays;

/**
 * Provider of the technology of UCX, where the host has a network for it, or {@code
 * karmi.technologies} names it; found as a service.
 */
public final class UcxProvider implements TechnologyProvider {
  /** For the service loader. */
  public UcxProvider() {}

  @Override
  public String name() {
    return Ucx.NAME;
  }

  @Override
  public Technology open(UpCall upCall) throws IOException {
    if (Settings.isTlsOn()) {
      throw new IOException("karmi.tls=" + Settings.TLS.get() + ": all calls use TLS, and so TCP");
    }
    if (Settings.VIRTUAL_THREADS.isOn()) {
      throw new IOException("karmi.virtualThreads: those can wait in TCP sockets only");
    }
    if (!isAskedFor() && !Transports.haveRemoteMemory()) {
      throw new IOException(
          "this host has no device for remote direct memory access that UCX may use;"
              + " -Dkarmi.technologies=ucx,tcp uses UCX all the same");
    }
    return openHere(upCall, new ConnectionSettings(), Secret.configured());
  }

  /** Opens the technology without a check of the host's devices. */
  static UcxTechnology openHere(UpCall upCall, ConnectionSettings settings, Secret secret)
      throws IOException {
    return new UcxTechnology(upCall, settings, Fabric.acquire(), secret);
  }

  private static boolean isAskedFor() {
    String names = Settings.TECHNOLOGIES.get();
    return names != null && Arrays.asList(names.trim().split("\\s*,\\s*")).contains(Ucx.NAME);
  }
}
