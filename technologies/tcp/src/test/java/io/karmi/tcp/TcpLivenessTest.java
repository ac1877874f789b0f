package io.karmi.tcp;

import io.karmi.contract.LivenessContract;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;

public class TcpLivenessTest extends LivenessContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Wire.open(upCall, settings);
  }

  @Override
  protected Class<? extends TechnologyProvider> provider() {
    return TcpProvider.class;
  }
}
