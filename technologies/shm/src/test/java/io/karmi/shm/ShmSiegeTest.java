package io.karmi.shm;

import io.karmi.contract.SocketFolder;
import io.karmi.contract.hostile.Attack;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.SiegeContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;

/** Every attack of the kit on a node over shared memory, by a process of the same user. */
public class ShmSiegeTest extends SiegeContract {
  @Rule public final SocketFolder folder = new SocketFolder();

  @Override
  protected long usualMillis() {
    return 8_000;
  }

  @Override
  protected List<String> options() {
    return List.of("-Dkarmi.technologies=shm,tcp", "-Dkarmi.uds.directory=" + folder.path());
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
    return new MemoryDoor(folder.path().resolve(way));
  }
}
