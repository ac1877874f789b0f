package io.karmi.uds;

import io.karmi.contract.SpinningContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class UdsSpinningTest extends SpinningContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Local.open(upCall, settings);
  }
}
