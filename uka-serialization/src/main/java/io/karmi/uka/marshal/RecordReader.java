package io.karmi.uka.marshal;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Map;

/** Records: made by their canonical constructor when all components have arrived, each found by its name. */
final class RecordReader extends Unmarshaler {
  private static final Map<Class<?>, Object> ZEROS =
      Map.of(
          boolean.class, false, byte.class, (byte) 0, char.class, '\0', short.class, (short) 0,
          int.class, 0, long.class, 0L, float.class, 0f, double.class, 0d);

  RecordReader(ReadType type) {
    super(type);
  }

  @Override
  Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
    in.begin(null, type, unshared);
    Level[] levels = type.levels();
    FieldValues[] values = new FieldValues[levels.length];
    for (int i = 0; i < levels.length; i++) {
      if (levels[i].hasData) {
        values[i] = new FieldValues(in, levels[i], true);
      }
    }
    return complete(in, values, unshared);
  }

  @Override
  DeepReader.Half begin(ObjectReader in, boolean unshared) throws IOException {
    Level[] levels = type.levels();
    in.begin(null, type, unshared);
    return new SerializableReader.HalfObject(type, unshared, levels, null) {
      @Override
      Object complete(ObjectReader from) throws IOException {
        return RecordReader.this.complete(from, values, unshared);
      }
    };
  }

  /** The last class of the hierarchy is the record; superclasses of another version are of no use. */
  private Object complete(ObjectReader in, FieldValues[] values, boolean unshared)
      throws IOException {
    FieldValues components = values[values.length - 1];
    if (components == null || in.isMarked()) {
      return null;
    }
    Object record = construct(components);
    in.complete(record, unshared);
    return record;
  }

  private Object construct(FieldValues values) throws IOException {
    RecordComponent[] components = type.type().getRecordComponents();
    Object[] arguments = new Object[components.length];
    for (int i = 0; i < arguments.length; i++) {
      Object value = values.byName(components[i].getName());
      arguments[i] = value == null ? ZEROS.get(components[i].getType()) : value;
    }
    Constructor<?> constructor = type.local().recordConstructor();
    checkArguments(constructor, arguments);
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw invalid(e.getCause().getMessage(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw invalid("ReflectiveOperationException during deserialization", e);
    }
  }

  /** The JDK reports a component of the wrong type as a failed cast. */
  private static void checkArguments(Constructor<?> constructor, Object[] arguments)
      throws InvalidObjectException {
    Class<?>[] parameters = constructor.getParameterTypes();
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] != null
          && !parameters[i].isPrimitive()
          && !parameters[i].isInstance(arguments[i])) {
        ClassCastException cause =
            new ClassCastException(
                "Cannot cast " + arguments[i].getClass().getName() + " to " + parameters[i].getName());
        throw invalid(cause.getMessage(), cause);
      }
    }
  }

  private static InvalidObjectException invalid(String message, Throwable cause) {
    InvalidObjectException exception = new InvalidObjectException(message);
    exception.initCause(cause);
    return exception;
  }
}
