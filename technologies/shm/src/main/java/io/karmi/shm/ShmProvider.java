package io.karmi.shm;

import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import io.karmi.uds.LocalProvider;
import java.io.IOException;

/** Provider of the technology of shared memory; found by name, or as a service. */
public final class ShmProvider extends LocalProvider {
  /** For the service loader. */
  public ShmProvider() {}

  @Override
  public String name() {
    return ShmTechnology.NAME;
  }

  @Override
  protected Technology openHere(UpCall upCall) throws IOException {
    PrivateDirectory.checkPossible();
    return new ShmTechnology(upCall, new ConnectionSettings());
  }
}
