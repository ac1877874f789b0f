package io.karmi.uka.strategy;

import io.karmi.uka.engine.read.ClassLevel;
import io.karmi.uka.engine.read.DirectReader;
import io.karmi.uka.engine.read.FieldValues;
import io.karmi.uka.engine.read.HalfRead;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.platform.RecordConstructor;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reader of records by their canonical constructor, when all components have arrived. Components
 * are found by name.
 */
public final class RecordReader extends DirectReader {
  /** The index of the stream's field for each component, or -1; null before the first record. */
  private int @Nullable [] sources;

  private final RecordConstructor constructor;

  /** Whether the search for an access that makes whole records has ended. */
  private boolean settled;

  public RecordReader(ReadType type, LocalClass local) {
    super(type);
    /* A record without one has been refused. */
    constructor = Objects.requireNonNull(local.recordConstructor());
  }

  @Override
  public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    in.begin(null, type, unshared);
    int handle = in.currentHandle();
    ClassLevel[] levels = levels();
    @Nullable FieldValues[] values = new @Nullable FieldValues[levels.length];
    for (int i = 0; i < levels.length; i++) {
      if (levels[i].hasData) {
        FieldValues read = new FieldValues(in, levels[i]);
        values[i] = read;
        read.readReferences(handle);
      }
    }
    return complete(in, values, unshared);
  }

  @Override
  public HalfRead begin(ReadContext in, boolean unshared) throws IOException {
    ClassLevel[] levels = levels();
    in.begin(null, type, unshared);
    return new SerializableReader.HalfObject(type, unshared, levels, null) {
      @Override
      public @Nullable Object complete(ReadContext from) throws IOException {
        return RecordReader.this.complete(from, values, unshared);
      }
    };
  }

  /** Makes the record of the fields of the last class; those of superclasses are dropped. */
  private @Nullable Object complete(
      ReadContext in, @Nullable FieldValues[] values, boolean unshared) throws IOException {
    FieldValues components = values[values.length - 1];
    if (components == null || in.isMarked()) {
      return null;
    }
    Object record = construct(components);
    in.complete(record, unshared);
    return record;
  }

  private Object construct(FieldValues values) throws IOException {
    if (sources == null) {
      sources = sources(constructor);
    }
    if (!settled) {
      settle(values);
    }
    @Nullable Object[] arguments = new @Nullable Object[sources.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = sources[i] < 0 ? constructor.defaultOf(i) : values.boxed(sources[i]);
    }
    return constructor.newInstance(arguments);
  }

  @Override
  public boolean isSettled() {
    return settled;
  }

  @Override
  public void prepare(ByteOrder order) throws InvalidClassException {
    ClassLevel[] levels = levels();
    if (levels.length == 1 && !levels[0].hasUnshared() && type.equalsLocal()) {
      FieldAccess access = levels[0].settledAccess(order);
      if (access != null) {
        settled = true;
        whole = access.makesRecords() ? access : null;
      }
    }
  }

  /**
   * Looks for an access that makes records, if the stream's class equals the local one and no field
   * is unshared. It is settled when the access is not provisional.
   */
  private void settle(FieldValues values) {
    try {
      ClassLevel[] levels = levels();
      settled = levels.length > 1 || levels[0].hasUnshared() || !type.equalsLocal();
      if (!settled) {
        FieldAccess access = levels[0].access(values.order());
        settled = !access.isProvisional();
        whole = access.makesRecords() ? access : null;
      }
    } catch (InvalidClassException e) {
      /* The constructor suffices. */
      settled = true;
    }
  }

  private int[] sources(RecordConstructor constructor) throws InvalidClassException {
    ClassLevel[] levels = levels();
    FieldDescription[] fields = levels[levels.length - 1].description.fields;
    int[] found = new int[constructor.components()];
    for (int i = 0; i < found.length; i++) {
      found[i] = indexOf(constructor.name(i), fields);
    }
    return found;
  }

  private static int indexOf(String name, FieldDescription[] fields) {
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].name().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
