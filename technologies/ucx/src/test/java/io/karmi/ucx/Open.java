package io.karmi.ucx;

import static org.junit.Assume.assumeNoException;

import io.karmi.contract.Nodes;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Technologies of this package with settings that a test chooses. */
final class Open {
  private static final AtomicBoolean TOLD = new AtomicBoolean();

  /** Relative to the module; JVMs that are started have the same directory. */
  static final Path SECRET = Path.of("target", "ucx-secret");

  private Open() {}

  /** Opens one; where UCX is not installed the test is skipped. */
  static UcxTechnology technology(UpCall upCall, String... settings) throws IOException {
    assumeInstalled();
    return UcxProvider.openHere(upCall, new ConnectionSettings(Nodes.settings(settings)), secret());
  }

  /** The one that all tests share, in a file of the module's. */
  static Secret secret() throws IOException {
    return Secret.at(SECRET);
  }

  /** Options of a JVM whose node has UCX beside TCP, and that secret. */
  static List<String> options() throws IOException {
    secret();
    return List.of("-Dkarmi.technologies=ucx,tcp", "-Dkarmi.ucx.secret=" + SECRET);
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
