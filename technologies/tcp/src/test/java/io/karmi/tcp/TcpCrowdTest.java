package io.karmi.tcp;

import io.karmi.contract.hostile.CrowdContract;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.SocketDoor;
import java.util.List;

/** Many idle connections of the host from which the next client comes, too. */
public class TcpCrowdTest extends CrowdContract {
  @Override
  protected List<String> options() {
    return List.of("-Dkarmi.technologies=tcp");
  }

  @Override
  protected String technology() {
    return Tcp.NAME;
  }

  @Override
  protected Door door(String way) {
    return new SocketDoor(Integer.parseInt(way.substring(way.lastIndexOf(':') + 1)));
  }
}
