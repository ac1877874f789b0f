package io.karmi.ucx;

import static org.junit.Assume.assumeNoException;

import io.karmi.connection.ConnectionSettings;
import io.karmi.contract.Nodes;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Technologies of this package with settings that a test chooses. */
final class Open {
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private Open() {}

  /** Opens one; where UCX is not installed the test is skipped. */
  static UcxTechnology technology(UpCall upCall, String... settings) throws IOException {
    assumeInstalled();
    return UcxProvider.openHere(upCall, new ConnectionSettings(Nodes.settings(settings)));
  }

  static void assumeInstalled() {
    try {
      Fabric.acquire().release();
    } catch (IOException e) {
      if (!TOLD.getAndSet(true)) {
        System.out.println("UCX: tests are skipped: " + e.getMessage());
      }
      assumeNoException(e);
    }
  }
}
