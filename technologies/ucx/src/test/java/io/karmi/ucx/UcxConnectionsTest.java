package io.karmi.ucx;

import io.karmi.contract.ConnectionsContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class UcxConnectionsTest extends ConnectionsContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Open.technology(upCall, settings);
  }
}
