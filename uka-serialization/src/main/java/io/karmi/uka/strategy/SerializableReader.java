package io.karmi.uka.strategy;

import io.karmi.uka.engine.read.ClassLevel;
import io.karmi.uka.engine.read.FieldValues;
import io.karmi.uka.engine.read.HalfRead;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** General reader of objects: any hierarchy, in any version, with or without methods. */
public final class SerializableReader extends Unmarshaler {
  private boolean prepared;

  /** Whether fields are set when those of all classes have arrived. */
  private boolean deferred;

  public SerializableReader(ReadType type) {
    super(type);
  }

  /** The levels; sets {@link #deferred}. */
  private ClassLevel[] prepare() throws InvalidClassException {
    ClassLevel[] known = levels();
    if (!prepared) {
      deferred = !hasMethodsBelowTop(known);
      prepared = true;
    }
    return known;
  }

  @Override
  public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    Object object = create(in, unshared);
    FieldValues[] values = null;
    for (ClassLevel level : prepare()) {
      LocalClass local = level.local;
      if (!level.hasData) {
        if (object != null
            && local != null
            && local.hooks().hasReadObjectNoData()
            && !in.isMarked()) {
          local.hooks().readObjectNoData(object);
        }
        continue;
      }
      if (local != null && local.hooks().hasReadObject() && object != null && !in.isMarked()) {
        in.callbacks().readCustom(object, level, local.hooks());
      } else {
        FieldValues read = new FieldValues(in, level, true);
        if (deferred) {
          values = append(values, read);
        } else if (object != null && !in.isMarked()) {
          read.check(object);
          read.set(object);
        }
      }
      in.callbacks().endLevel(level);
    }
    if (values != null && object != null && !in.isMarked()) {
      setAll(object, values);
    }
    return object;
  }

  private static FieldValues[] append(FieldValues @Nullable [] values, FieldValues read) {
    if (values == null) {
      return new FieldValues[] {read};
    }
    FieldValues[] longer = Arrays.copyOf(values, values.length + 1);
    longer[values.length] = read;
    return longer;
  }

  @Override
  public @Nullable HalfRead begin(ReadContext in, boolean unshared) throws IOException {
    for (ClassLevel level : levels()) {
      if (level.hasReadObject() || level.hasReadObjectNoData() || level.hasCustomData()) {
        return null;
      }
    }
    return new HalfObject(type, unshared, levels(), create(in, unshared));
  }

  /** A plain object some of whose references are still to be read. */
  public static class HalfObject extends HalfRead {
    private final ClassLevel[] levels;
    public final @Nullable FieldValues[] values;
    private final @Nullable Object object;
    private int level = -1;
    private int reference;

    public HalfObject(
        ReadType type, boolean unshared, ClassLevel[] levels, @Nullable Object object) {
      super(type, unshared);
      this.levels = levels;
      this.object = object;
      values = new @Nullable FieldValues[levels.length];
    }

    @Override
    public boolean advance(ReadContext in) throws IOException {
      while (level < 0 || values[level] == null || reference == values[level].references()) {
        if (++level == levels.length) {
          return false;
        }
        reference = 0;
        if (levels[level].hasData) {
          values[level] = new FieldValues(in, levels[level]);
        }
      }
      values[level].beginReference(reference);
      return true;
    }

    @Override
    public boolean isNextUnshared() {
      return values[level].isUnshared(reference);
    }

    @Override
    public void accept(ReadContext in, @Nullable Object value) {
      values[level].accept(handle, reference++, value);
    }

    @Override
    public @Nullable Object complete(ReadContext in) throws IOException {
      if (object != null && !in.isMarked()) {
        setAll(object, values);
      }
      return object;
    }
  }

  /** Whether a class below the topmost one has a method that could see fields set early. */
  private static boolean hasMethodsBelowTop(ClassLevel[] levels) {
    for (int i = 1; i < levels.length; i++) {
      if (levels[i].hasReadObject() || levels[i].hasReadObjectNoData()) {
        return true;
      }
    }
    return false;
  }

  private static void setAll(Object object, @Nullable FieldValues[] values) throws IOException {
    for (@Nullable FieldValues level : values) {
      if (level != null) {
        level.check(object);
      }
    }
    for (@Nullable FieldValues level : values) {
      if (level != null) {
        level.set(object);
      }
    }
  }
}
