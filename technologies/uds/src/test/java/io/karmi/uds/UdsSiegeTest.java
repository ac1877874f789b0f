package io.karmi.uds;

import io.karmi.contract.SocketFolder;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.LocalDoor;
import io.karmi.contract.hostile.SiegeContract;
import java.util.List;
import org.junit.Rule;

/** Every attack of the kit on a node over a Unix-domain socket, by a process of the same user. */
public class UdsSiegeTest extends SiegeContract {
  @Rule public final SocketFolder folder = new SocketFolder();

  @Override
  protected long usualMillis() {
    return 8_000;
  }

  @Override
  protected List<String> options() {
    return List.of(
        "-Dkarmi.technologies=uds,tcp",
        "-Dkarmi.bridge=true", // it could lead from one to the other
        "-Dkarmi.uds.directory=" + folder.path());
  }

  @Override
  protected String technology() {
    return Uds.NAME;
  }

  @Override
  protected Door door(int port, String way) {
    return new LocalDoor(folder.path().resolve(way));
  }
}
