package io.karmi.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.rules.ExternalResource;

/**
 * Folder of the sockets of one test, with a short path, as that of a socket has to be. Goes with
 * what a killed node has left in it.
 */
public final class SocketFolder extends ExternalResource {
  private @Nullable Path path;

  @Override
  protected void before() throws IOException {
    path = Files.createTempDirectory("k");
  }

  @Override
  protected void after() {
    try (var left = Files.list(path())) {
      for (Path each : left.toList()) {
        Files.delete(each);
      }
      Files.delete(path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder, while the test runs. */
  public Path path() {
    return Objects.requireNonNull(path);
  }
}
