package io.karmi.operations;

import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;

/** A technology that this host lacks something for. */
public final class DisabledProvider implements TechnologyProvider {
  @Override
  public String name() {
    return "disabled";
  }

  @Override
  public Technology open(UpCall upCall) throws IOException {
    throw new IOException("the device is not plugged in");
  }
}
