package io.karmi.shm;

import io.karmi.contract.PipesContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class ShmPipesTest extends PipesContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return Shared.open(upCall);
  }
}
