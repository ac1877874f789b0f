package io.karmi.uka.marshal;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The general path: any hierarchy, in any version, with or without methods of its own. */
final class SerializableReader extends Unmarshaler {
  private Level @Nullable [] levels;

  /** Whether fields are set only when those of all classes have arrived. */
  private boolean deferred;

  SerializableReader(ReadType type) {
    super(type);
  }

  private Level[] levels() throws InvalidClassException {
    Level[] known = levels;
    if (known == null) {
      known = type.levels();
      levels = known;
      deferred = !hasMethodsBelowTop(known);
    }
    return known;
  }

  @Override
  Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
    Object object = create(in, unshared);
    FieldValues[] values = null;
    for (Level level : levels()) {
      if (!level.hasData) {
        if (object != null && level.hasReadObjectNoData() && !in.isMarked()) {
          level.local.hooks().readObjectNoData(object);
        }
        continue;
      }
      if (level.hasReadObject() && object != null && !in.isMarked()) {
        in.callbacks().readCustom(object, level);
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
  DeepReader.Half begin(ObjectReader in, boolean unshared) throws IOException {
    for (Level level : levels()) {
      if (level.hasReadObject() || level.hasReadObjectNoData() || level.hasCustomData()) {
        return null;
      }
    }
    return new HalfObject(type, unshared, levels(), create(in, unshared));
  }

  /** A plain object whose references are not all there. */
  static class HalfObject extends DeepReader.Half {
    private final Level[] levels;
    final FieldValues[] values;
    private final Object object;
    private int level = -1;
    private int reference;

    HalfObject(ReadType type, boolean unshared, Level[] levels, Object object) {
      super(type, unshared);
      this.levels = levels;
      this.object = object;
      values = new FieldValues[levels.length];
    }

    @Override
    boolean advance(ObjectReader in) throws IOException {
      while (level < 0 || values[level] == null || reference == values[level].references()) {
        if (++level == levels.length) {
          return false;
        }
        reference = 0;
        if (levels[level].hasData) {
          values[level] = new FieldValues(in, levels[level]);
        }
      }
      return true;
    }

    @Override
    boolean isNextUnshared() {
      return values[level].isUnshared(reference);
    }

    @Override
    void accept(ObjectReader in, Object value) {
      values[level].accept(handle, reference++, value);
    }

    @Override
    Object complete(ObjectReader in) throws IOException {
      if (object != null && !in.isMarked()) {
        setAll(object, values);
      }
      return object;
    }
  }

  /** Whether a method of a class below the topmost one could see fields set early. */
  private static boolean hasMethodsBelowTop(Level[] levels) {
    for (int i = 1; i < levels.length; i++) {
      if (levels[i].hasReadObject() || levels[i].hasReadObjectNoData()) {
        return true;
      }
    }
    return false;
  }

  private static void setAll(Object object, FieldValues[] values) throws IOException {
    for (FieldValues level : values) {
      if (level != null) {
        level.check(object);
      }
    }
    for (FieldValues level : values) {
      if (level != null) {
        level.set(object);
      }
    }
  }
}
