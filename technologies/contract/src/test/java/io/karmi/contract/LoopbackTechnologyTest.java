package io.karmi.contract;

import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class LoopbackTechnologyTest extends TechnologyContract {
  @Override
  protected Technology open(UpCall upCall) {
    return new LoopbackTechnology(upCall);
  }
}
