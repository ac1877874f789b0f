package io.karmi.shm;

import io.karmi.contract.Nodes;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.io.IOException;

/** Technologies of this package with settings that a test chooses. */
final class Shared {
  private Shared() {}

  static ShmTechnology open(UpCall upCall, String... settings) throws IOException {
    return new ShmTechnology(upCall, new ConnectionSettings(Nodes.settings(settings)));
  }
}
