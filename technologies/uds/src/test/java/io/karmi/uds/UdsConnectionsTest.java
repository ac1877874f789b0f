package io.karmi.uds;

import io.karmi.contract.ConnectionsContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class UdsConnectionsTest extends ConnectionsContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Local.open(upCall, settings);
  }
}
