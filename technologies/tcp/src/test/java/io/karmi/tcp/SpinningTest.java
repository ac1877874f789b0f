package io.karmi.tcp;

import io.karmi.contract.SpinningContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class SpinningTest extends SpinningContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Wire.open(upCall, settings);
  }
}
