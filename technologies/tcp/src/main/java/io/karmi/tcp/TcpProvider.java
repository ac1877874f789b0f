package io.karmi.tcp;

import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;

/** Provider of the TCP technology; found by name, or as a service. */
public final class TcpProvider implements TechnologyProvider {
  /** For the service loader. */
  public TcpProvider() {}

  @Override
  public String name() {
    return Tcp.NAME;
  }

  @Override
  public Technology open(UpCall upCall) {
    return new TcpTechnology(upCall, TcpSettings.fromProperties());
  }
}
