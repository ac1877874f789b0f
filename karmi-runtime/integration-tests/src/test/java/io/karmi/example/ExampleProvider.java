package io.karmi.example;

import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;

/** Makes the technology of the example; a service file would name it. */
public final class ExampleProvider implements TechnologyProvider {
  @Override
  public String name() {
    return ExampleTechnology.NAME;
  }

  @Override
  public Technology open(UpCall upCall) {
    return new ExampleTechnology(upCall);
  }
}
