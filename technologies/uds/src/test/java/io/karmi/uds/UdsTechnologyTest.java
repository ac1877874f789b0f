package io.karmi.uds;

import io.karmi.contract.TechnologyContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class UdsTechnologyTest extends TechnologyContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return new UdsProvider().open(upCall);
  }
}
