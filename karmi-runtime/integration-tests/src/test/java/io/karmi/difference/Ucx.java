package io.karmi.difference;

import static org.junit.Assume.assumeNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/** UCX, for programs that run on it. */
final class Ucx {
  /** From this version on the JDK warns of native code unless it is told not to. */
  private static final int WARNING_JDK = 24;

  /** What UCX may use where there is no hardware for it, and no lines of its own when peers die. */
  private static final List<String> ENVIRONMENT =
      List.of("env", "UCX_TLS=posix,cma,self", "UCX_LOG_LEVEL=fatal");

  private Ucx() {}

  /** Skips a test where UCX is not installed. */
  static void assumeInstalled() {
    try {
      new UcpContext(new UcpParams().requestAmFeature()).close();
    } catch (LinkageError | RuntimeException e) {
      assumeNoException("no UCX here (Debian: libucx0)", e);
    }
  }

  /**
   * KaRMI over UCX, and over TCP where that is the only way.
   *
   * @param folder of the secret, which is made if it is not there
   */
  static Side side(Path folder) throws IOException {
    List<String> options = new ArrayList<>();
    options.add("-Dkarmi.technologies=ucx,tcp");
    options.add("-Dkarmi.ucx.secret=" + secret(folder));
    if (Jdks.version(Jdks.own()) >= WARNING_JDK) {
      options.add("--enable-native-access=ALL-UNNAMED");
    }
    return new Side("karmi", Jdks.own(), ENVIRONMENT, options);
  }

  private static Path secret(Path folder) throws IOException {
    Path secret = folder.resolve("secret");
    if (!Files.exists(secret)) {
      var ownerOnly =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
      Files.writeString(Files.createFile(secret, ownerOnly), "known to both ends of a program");
    }
    return secret;
  }
}
