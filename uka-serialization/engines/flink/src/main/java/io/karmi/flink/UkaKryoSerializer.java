package io.karmi.flink;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * UKA below Flink's serializer of generic types. One line of configuration puts it there for all
 * serializable classes:
 *
 * <pre>{@code
 * pipeline.serialization-config: [java.io.Serializable:
 *     {type: kryo, kryo-type: default, class: io.karmi.flink.UkaKryoSerializer}]
 * }</pre>
 *
 * <p>Objects are written with the semantics of {@code java.io}. A record describes its classes, so
 * that a class may change between a savepoint and its restoration; where that costs too many bytes,
 * {@link UkaTypeInfoFactory} puts the descriptions into the snapshot. Flink uses each instance in
 * one thread at a time.
 */
public final class UkaKryoSerializer extends Serializer<Object> implements Serializable {
  private static final long serialVersionUID = 1;

  private transient @Nullable RecordOutput out;
  private transient @Nullable RecordInput in;

  /** Made by Flink. */
  public UkaKryoSerializer() {
    super();
  }

  @Override
  public void write(Kryo kryo, Output to, Object object) {
    RecordOutput record = written(object);
    to.writeVarInt(record.length(), true);
    to.writeBytes(record.bytes(), 0, record.length());
  }

  private RecordOutput written(Object object) {
    try {
      if (out == null) {
        out = RecordOutput.alone();
      }
      out.write(object);
      return out;
    } catch (IOException e) {
      throw new KryoException("cannot write " + object.getClass().getName(), e);
    }
  }

  @Override
  public Object read(Kryo kryo, Input from, Class<? extends Object> type) {
    int length = from.readVarInt(true);
    if (length < 0) {
      throw new KryoException(
          RecordInput.damaged("a record of " + type.getName() + " has the length " + length, null));
    }
    return object(kryo, from.readBytes(length), length, type);
  }

  private Object object(Kryo kryo, byte[] bytes, int length, Class<?> type) {
    try {
      if (in == null || !in.isFor(kryo.getClassLoader())) {
        in = RecordInput.alone(kryo.getClassLoader());
      }
      Object object = in.read(bytes, length);
      if (!type.isInstance(object)) {
        throw RecordInput.damaged("a record has no object of its class", null);
      }
      return object;
    } catch (IOException | ClassNotFoundException e) {
      throw new KryoException("cannot read a record of " + type.getName(), e);
    }
  }

  @Override
  public Object copy(Kryo kryo, Object original) {
    RecordOutput record = written(original);
    return object(kryo, record.bytes(), record.length(), original.getClass());
  }
}
