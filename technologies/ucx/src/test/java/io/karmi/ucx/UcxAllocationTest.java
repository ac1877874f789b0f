package io.karmi.ucx;

import io.karmi.contract.AllocationContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import org.junit.BeforeClass;

public class UcxAllocationTest extends AllocationContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return Open.technology(upCall);
  }

  /** The binding of UCX makes some objects for one message that is sent and one that comes. */
  @Override
  protected long mostBytesPerCall() {
    return 600;
  }
}
