package io.karmi.ucx;

import io.karmi.contract.FarewellContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class UcxFarewellTest extends FarewellContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Open.technology(upCall, settings);
  }
}
