package io.karmi.shm;

import io.karmi.contract.hostile.Attack;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.SiegeContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;

/** Every attack of the kit on a node over shared memory, by a process of the same user. */
public class ShmSiegeTest extends SiegeContract {
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
    return List.of("-Dkarmi.technologies=shm,tcp", "-Dkarmi.uds.directory=" + directory);
  }

  @Override
  protected String technology() {
    return ShmTechnology.NAME;
  }

  @Override
  protected List<Attack> attacks(Door door) {
    List<Attack> all = new ArrayList<>(super.attacks(door));
    all.addAll(MemoryAttacks.at((MemoryDoor) door));
    return all;
  }

  @Override
  protected Door door(int port, String way) {
    return new MemoryDoor(directory.resolve(way));
  }
}
