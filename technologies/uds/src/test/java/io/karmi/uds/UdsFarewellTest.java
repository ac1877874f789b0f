package io.karmi.uds;

import io.karmi.contract.FarewellContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class UdsFarewellTest extends FarewellContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) {
    return Local.open(upCall, settings);
  }
}
