package io.karmi.ucx;

import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.SiegeContract;
import java.io.IOException;
import java.util.List;
import org.junit.BeforeClass;

/** Every attack of the kit on a node over UCX, by a process that knows the secret. */
public class UcxSiegeTest extends SiegeContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  @Override
  protected long usualMillis() {
    return 8_000;
  }

  @Override
  protected List<String> options() throws IOException {
    return Open.options();
  }

  @Override
  protected String technology() {
    return Ucx.NAME;
  }

  @Override
  protected Door door(int port, String way) {
    return new LinkDoor(way);
  }
}
