package io.karmi.uka.strategy;

import io.karmi.uka.engine.read.ClassFinder;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.type.ClassDescription;
import java.io.Externalizable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reader of externalizable objects by {@code readExternal}. */
public final class ExternalReader extends Unmarshaler {
  private final boolean inBlocks;
  private final boolean ofUser;

  public ExternalReader(ReadType type) {
    super(type);
    ClassDescription description = type.description();
    inBlocks = description == null || description.hasBlockData();
    Class<?> known = type.type();
    ofUser = known != null && ClassFinder.isUserCode(known);
  }

  @Override
  public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    Object object = create(in, unshared);
    in.callbacks().readExternal((Externalizable) object, inBlocks, ofUser);
    return object;
  }
}
