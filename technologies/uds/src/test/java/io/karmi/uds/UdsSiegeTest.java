package io.karmi.uds;

import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.LocalDoor;
import io.karmi.contract.hostile.SiegeContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.After;
import org.junit.Before;

/** Every attack of the kit on a node over a Unix-domain socket, by a process of the same user. */
public class UdsSiegeTest extends SiegeContract {
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  /** Short, as the path of a socket has to be. */
  @Before
  public void make() throws IOException {
    directory = Files.createTempDirectory("k");
  }

  @After
  public void delete() throws IOException {
    try (var all = Files.list(directory)) {
      for (Path each : all.toList()) {
        Files.delete(each); // the node was killed
      }
    }
    Files.delete(directory);
  }

  @Override
  protected long usualMillis() {
    return 8_000;
  }

  @Override
  protected List<String> options() {
    return List.of(
        "-Dkarmi.technologies=uds,tcp",
        "-Dkarmi.bridge=true", // it could lead from one to the other
        "-Dkarmi.uds.directory=" + directory);
  }

  @Override
  protected String technology() {
    return Uds.NAME;
  }

  @Override
  protected Door door(int port, String way) {
    return new LocalDoor(directory.resolve(way));
  }
}
