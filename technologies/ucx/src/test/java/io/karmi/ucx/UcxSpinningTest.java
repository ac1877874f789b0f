package io.karmi.ucx;

import io.karmi.contract.SpinningContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import org.junit.BeforeClass;

public class UcxSpinningTest extends SpinningContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Open.technology(upCall, settings);
  }
}
