package io.karmi.tcp;

import io.karmi.contract.PipesContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class TcpPipesTest extends PipesContract {
  @Override
  protected Technology open(UpCall upCall) {
    return new TcpTechnology(upCall, TcpSettings.fromProperties());
  }
}
