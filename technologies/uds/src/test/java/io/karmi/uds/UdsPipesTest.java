package io.karmi.uds;

import io.karmi.contract.PipesContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class UdsPipesTest extends PipesContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return new UdsProvider().open(upCall);
  }
}
