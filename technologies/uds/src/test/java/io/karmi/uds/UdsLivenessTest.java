package io.karmi.uds;

import io.karmi.contract.LivenessContract;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;

public class UdsLivenessTest extends LivenessContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Local.open(upCall, settings);
  }

  @Override
  protected Class<? extends TechnologyProvider> provider() {
    return UdsProvider.class;
  }
}
