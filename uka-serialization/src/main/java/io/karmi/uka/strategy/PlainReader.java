package io.karmi.uka.strategy;

import io.karmi.uka.engine.read.ClassLevel;
import io.karmi.uka.engine.read.DirectReader;
import io.karmi.uka.engine.read.HalfRead;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.HierarchyAccess;
import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reader of objects that are nothing but their fields, in the stream and here, in every class of
 * the hierarchy.
 */
public final class PlainReader extends DirectReader {
  private final SerializableReader general;
  private final Instantiator instantiator;
  private final ClassLevel[] withFields;
  private final LocalClass local;
  private FieldAccess @Nullable [] accesses;

  private PlainReader(
      ReadType type, LocalClass local, Instantiator instantiator, ClassLevel[] withFields) {
    super(type);
    this.local = local;
    this.instantiator = instantiator;
    this.withFields = withFields;
    general = new SerializableReader(type);
  }

  /** The reader of a type; null if its objects are not as plain. */
  public static @Nullable PlainReader of(ReadType type) throws InvalidClassException {
    LocalClass local = type.local();
    if (local == null || type.isProxy() || local.isExternalizable) {
      return null;
    }
    Instantiator instantiator = local.instantiator();
    if (instantiator == null) {
      return null;
    }
    ClassLevel[] levels = ClassLevel.of(type);
    ClassLevel[] withFields = new ClassLevel[levels.length];
    int count = 0;
    for (ClassLevel level : levels) {
      boolean plain =
          level.hasData
              && level.local != null
              && !level.hasReadObject()
              && !level.hasReadObjectNoData()
              && !level.hasCustomData();
      if (!plain || level.hasUnshared()) {
        return null;
      }
      if (level.description.fields.length > 0) {
        withFields[count++] = level;
      }
    }
    return new PlainReader(type, local, instantiator, java.util.Arrays.copyOf(withFields, count));
  }

  @Override
  public Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    Object object = create();
    in.begin(object, type, unshared);
    readFields(in, object, in.currentHandle());
    return object;
  }

  @Override
  public @Nullable HalfRead begin(ReadContext in, boolean unshared) throws IOException {
    return general.begin(in, unshared);
  }

  private void readFields(ReadContext in, Object object, int handle) throws IOException {
    FieldAccess[] all = accesses;
    if (all == null) {
      readFirst(in, object, handle);
    } else if (all.length > 0) {
      all[0].read(in, object, handle, all, 1);
    }
    in.setCurrentHandle(handle);
  }

  /* Apart, so that provisional accesses do not enter the profile of the others. */
  private void readFirst(ReadContext in, Object object, int handle) throws IOException {
    FieldAccess[] all = open(in.format().order());
    if (all.length > 0) {
      all[0].read(in, object, handle, all, 1);
    }
  }

  @Override
  public boolean isSettled() {
    return accesses != null;
  }

  @Override
  public void prepare(ByteOrder order) {
    FieldAccess[] known = new FieldAccess[withFields.length];
    for (int i = 0; i < known.length; i++) {
      FieldAccess access = withFields[i].settledAccess(order);
      if (access == null) {
        return;
      }
      known[i] = access;
    }
    settle(known);
  }

  private FieldAccess[] open(ByteOrder order) throws InvalidClassException {
    FieldAccess[] opened = new FieldAccess[withFields.length];
    boolean provisional = false;
    for (int i = 0; i < opened.length; i++) {
      opened[i] = withFields[i].access(order);
      provisional |= opened[i].isProvisional();
    }
    if (!provisional) {
      settle(opened);
    }
    return opened;
  }

  private void settle(FieldAccess[] opened) {
    accesses = opened;
    if (opened.length > 0 && instantiator.isAllocating()) {
      boolean one = opened.length == 1 && withFields[0].local == local;
      whole = one ? opened[0] : new HierarchyAccess(local.type, opened);
    }
  }

  private Object create() throws InvalidClassException {
    try {
      return instantiator.newInstance();
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unableToCreate(e);
    }
  }
}
