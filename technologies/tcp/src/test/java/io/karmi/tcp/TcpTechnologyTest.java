package io.karmi.tcp;

import io.karmi.contract.TechnologyContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class TcpTechnologyTest extends TechnologyContract {
  @Override
  protected Technology open(UpCall upCall) {
    return new TcpTechnology(upCall, TcpSettings.fromProperties());
  }
}
