package io.karmi.shm;

import io.karmi.contract.SocketFolder;
import io.karmi.contract.hostile.CrowdContract;
import io.karmi.contract.hostile.Door;
import java.util.List;
import org.junit.Rule;

/** Many idle connections of a process of the same user. */
public class ShmCrowdTest extends CrowdContract {
  @Rule public final SocketFolder folder = new SocketFolder();

  @Override
  protected List<String> options() {
    return List.of("-Dkarmi.technologies=shm,tcp", "-Dkarmi.uds.directory=" + folder.path());
  }

  @Override
  protected String technology() {
    return ShmTechnology.NAME;
  }

  @Override
  protected Door door(String way) {
    return new MemoryDoor(folder.path().resolve(way));
  }
}
