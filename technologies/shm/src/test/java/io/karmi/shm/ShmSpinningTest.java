package io.karmi.shm;

import io.karmi.contract.SpinningContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class ShmSpinningTest extends SpinningContract {
  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Shared.open(upCall, settings);
  }
}
