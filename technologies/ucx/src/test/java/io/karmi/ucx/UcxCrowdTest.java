package io.karmi.ucx;

import io.karmi.contract.hostile.CrowdContract;
import io.karmi.contract.hostile.Door;
import java.io.IOException;
import java.util.List;
import org.junit.BeforeClass;

/** Many idle connections of a process that knows the secret. */
public class UcxCrowdTest extends CrowdContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
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
  protected Door door(String way) {
    return new LinkDoor(way);
  }
}
