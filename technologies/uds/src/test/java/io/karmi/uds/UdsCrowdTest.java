package io.karmi.uds;

import io.karmi.contract.SocketFolder;
import io.karmi.contract.hostile.CrowdContract;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.LocalDoor;
import java.util.List;
import org.junit.Rule;

/** Many idle connections of a process of the same user. */
public class UdsCrowdTest extends CrowdContract {
  @Rule public final SocketFolder folder = new SocketFolder();

  @Override
  protected List<String> options() {
    return List.of("-Dkarmi.technologies=uds,tcp", "-Dkarmi.uds.directory=" + folder.path());
  }

  @Override
  protected String technology() {
    return Uds.NAME;
  }

  @Override
  protected Door door(String way) {
    return new LocalDoor(folder.path().resolve(way));
  }
}
