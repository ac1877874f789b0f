package io.karmi.uds;

import io.karmi.contract.Nodes;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;

/** Technologies of this package with settings that a test chooses. */
final class Local {
  private Local() {}

  static UdsTechnology open(UpCall upCall, String... settings) {
    return open(upCall, SocketDirectory.configured(), settings);
  }

  static UdsTechnology open(UpCall upCall, SocketDirectory directory, String... settings) {
    return new UdsTechnology(upCall, new ConnectionSettings(Nodes.settings(settings)), directory);
  }
}
