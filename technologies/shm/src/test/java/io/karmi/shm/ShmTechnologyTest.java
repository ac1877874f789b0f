package io.karmi.shm;

import io.karmi.contract.TechnologyContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class ShmTechnologyTest extends TechnologyContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return Shared.open(upCall);
  }
}
