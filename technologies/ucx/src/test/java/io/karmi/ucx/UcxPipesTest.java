package io.karmi.ucx;

import io.karmi.contract.PipesContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import org.junit.BeforeClass;

public class UcxPipesTest extends PipesContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return Open.technology(upCall);
  }
}
