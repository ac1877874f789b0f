package io.karmi.uka.strategy;

import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.type.LocalClass;
import java.io.Externalizable;
import java.io.IOException;

/** Writer of externalizable objects by {@code writeExternal}. */
public final class ExternalMarshaler extends ObjectMarshaler {
  public ExternalMarshaler(LocalClass type) {
    super(type);
  }

  @Override
  public void marshal(ObjectWriter out, Object object) throws IOException {
    out.callbacks().writeExternal((Externalizable) object);
  }
}
