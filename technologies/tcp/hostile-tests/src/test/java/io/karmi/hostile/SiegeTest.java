package io.karmi.hostile;

import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.SiegeContract;
import io.karmi.contract.hostile.SocketDoor;
import java.util.List;

/** Every attack of the kit on a node over TCP. */
public class SiegeTest extends SiegeContract {
  @Override
  protected long usualMillis() {
    return 20_000;
  }

  @Override
  protected long usualSlowSeconds() {
    return 3;
  }

  @Override
  protected List<String> options() {
    return List.of();
  }

  @Override
  protected String technology() {
    return "tcp";
  }

  @Override
  protected Door door(int port, String way) {
    return new SocketDoor(port);
  }
}
