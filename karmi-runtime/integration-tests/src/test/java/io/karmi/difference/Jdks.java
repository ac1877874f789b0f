package io.karmi.difference;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The JDK of the tests, and another one of another version if this machine has one. */
final class Jdks {
  private static final String PROPERTY = "karmi.test.otherJdk";
  private static final String VARIABLE = "KARMI_TEST_OTHER_JDK";
  private static final int OLDEST = 17;

  private Jdks() {}

  static Path own() {
    return Path.of(System.getProperty("java.home"));
  }

  /**
   * A JDK of another version: the one that {@code -Dkarmi.test.otherJdk} or {@code
   * KARMI_TEST_OTHER_JDK} names, or else the newest one beside that of the tests.
   */
  static Optional<Path> other() throws IOException {
    String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
    if (named != null) {
      return Optional.of(Path.of(named));
    }
    try (Stream<Path> beside = Files.list(own().toRealPath().getParent())) {
      return beside
          .filter(jdk -> version(jdk) >= OLDEST && version(jdk) != version(own()))
          .max((a, b) -> Integer.compare(version(a), version(b)));
    }
  }

  /** The feature version; 0 if this is no JDK. */
  static int version(Path jdk) {
    Properties release = new Properties();
    try (var in = Files.newInputStream(jdk.resolve("release"))) {
      release.load(in);
    } catch (IOException e) {
      return 0;
    }
    String version = release.getProperty("JAVA_VERSION", "0").replace("\"", "");
    return Files.isExecutable(Jvm.launcher(jdk))
        ? Integer.parseInt(version.split("[.\\-+]")[0])
        : 0;
  }
}
