package io.karmi.uds;

import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

/** Provider of the technology of Unix-domain sockets; found by name, or as a service. */
public final class UdsProvider extends LocalProvider {
  /** For the service loader. */
  public UdsProvider() {}

  @Override
  public String name() {
    return Uds.NAME;
  }

  @Override
  protected Technology openHere(UpCall upCall) {
    return new UdsTechnology(upCall, new ConnectionSettings(), SocketDirectory.configured());
  }
}
