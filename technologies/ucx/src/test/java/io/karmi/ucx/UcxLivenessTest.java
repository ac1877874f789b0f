package io.karmi.ucx;

import io.karmi.contract.LivenessContract;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;
import org.junit.BeforeClass;

public class UcxLivenessTest extends LivenessContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Open.technology(upCall, settings);
  }

  @Override
  protected Class<? extends TechnologyProvider> provider() {
    return AnyUcxProvider.class;
  }
}
