package io.karmi.ucx;

import io.karmi.contract.TechnologyContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import org.junit.BeforeClass;

public class UcxTechnologyTest extends TechnologyContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return Open.technology(upCall);
  }
}
