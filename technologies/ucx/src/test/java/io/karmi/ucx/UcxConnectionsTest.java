package io.karmi.ucx;

import io.karmi.contract.ConnectionsContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import org.junit.BeforeClass;

public class UcxConnectionsTest extends ConnectionsContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Open.technology(upCall, settings);
  }

  /** A connection takes fifteen descriptors in one JVM, and shared memory. */
  @Override
  protected int manyCallers() {
    return 200;
  }
}
