package io.karmi.contract;

import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class LoopbackPipesTest extends PipesContract {
  @Override
  protected Technology open(UpCall upCall) {
    return new LoopbackTechnology(upCall);
  }
}
