package io.karmi.shm;

import io.karmi.contract.hostile.CrowdContract;
import io.karmi.contract.hostile.Door;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.After;

/** Many idle connections of a process of the same user. */
public class ShmCrowdTest extends CrowdContract {
  @SuppressWarnings("NullAway.Init")
  private Path directory;

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
  protected List<String> options() throws IOException {
    directory = Files.createTempDirectory("k"); // short, as the path of a socket has to be
    return List.of("-Dkarmi.technologies=shm,tcp", "-Dkarmi.uds.directory=" + directory);
  }

  @Override
  protected String technology() {
    return ShmTechnology.NAME;
  }

  @Override
  protected Door door(String way) {
    return new MemoryDoor(directory.resolve(way));
  }
}
