package io.karmi.ucx;

import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;

/** Makes the technology on every host that has UCX. */
public final class AnyUcxProvider implements TechnologyProvider {
  /** For {@link io.karmi.contract.PeerMain}. */
  public AnyUcxProvider() {}

  @Override
  public String name() {
    return Ucx.NAME;
  }

  @Override
  public Technology open(UpCall upCall) throws IOException {
    return UcxProvider.openHere(upCall, new ConnectionSettings(), Open.secret());
  }
}
