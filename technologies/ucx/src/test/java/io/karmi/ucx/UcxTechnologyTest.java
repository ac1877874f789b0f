package io.karmi.ucx;

import io.karmi.contract.TechnologyContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class UcxTechnologyTest extends TechnologyContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return Open.technology(upCall);
  }
}
