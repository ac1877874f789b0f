package io.karmi.tcp;

import io.karmi.contract.FarewellContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class TcpFarewellTest extends FarewellContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Wire.open(upCall, settings);
  }
}
