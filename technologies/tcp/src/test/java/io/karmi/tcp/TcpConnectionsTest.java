package io.karmi.tcp;

import io.karmi.contract.ConnectionsContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class TcpConnectionsTest extends ConnectionsContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Wire.open(upCall, settings);
  }
}
