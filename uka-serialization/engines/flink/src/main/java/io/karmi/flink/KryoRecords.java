package io.karmi.flink;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writer and reader of records below Kryo. Reading depends on the bytes only, whichever of the
 * subclasses has written them.
 *
 * <pre>
 *   n: number &gt; 0 | n bytes                                      describes its classes where it meets them
 *   0 | 0: u32 | d: number | d bytes | n: number | n bytes        begins with a description of the table
 *   0 | fingerprint of the table: u32 | n: number | n bytes       is of a class whose table is this one
 * </pre>
 *
 * <p>The table of a class is in {@link TypeTable}, behind the classes of {@link JdkClasses}. A
 * record with an object of another class is of the first kind, and so is one whose table is empty
 * or whose description would be long.
 */
abstract class KryoRecords extends Serializer<Object> implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int STEP_BYTES = 1 << 16;
  private static final byte[] NONE = {};

  private transient @Nullable Map<Class<?>, RecordClass> classes;

  /** The class of the last record, mostly of all. */
  private transient @Nullable Class<?> lastType;

  private transient @Nullable RecordClass last;
  private transient @Nullable RecordOutput out;
  private transient @Nullable RecordInput in;
  private transient byte @Nullable [] record;
  private transient byte @Nullable [] description;

  KryoRecords() {
    super();
  }

  /** Whether a record has the fingerprint of the table, not the description. */
  abstract boolean isSlim();

  private RecordClass classOf(Class<?> type) throws IOException {
    if (last != null && lastType == type) {
      return last;
    }
    if (classes == null) {
      classes = new HashMap<>();
    }
    RecordClass found = classes.get(type);
    if (found == null) {
      found = new RecordClass(type, isSlim());
      classes.put(type, found);
    }
    lastType = type;
    last = found;
    return found;
  }

  /** As Kryo has it when it reads: constants may be of classes of their own. */
  private static Class<?> typeOf(Object object) {
    return object instanceof Enum<?> constant ? constant.getDeclaringClass() : object.getClass();
  }

  @Override
  public void write(Kryo kryo, Output to, Object object) {
    try {
      RecordClass type = classOf(typeOf(object));
      RecordOutput written = type.written(object);
      if (written == null) {
        written = writtenAlone(object);
      } else {
        to.writeBytes(type.head);
      }
      to.writeVarInt(written.length(), true);
      to.writeBytes(written.bytes(), 0, written.length());
    } catch (IOException e) {
      throw new KryoException("cannot write " + object.getClass().getName(), e);
    }
  }

  private RecordOutput writtenAlone(Object object) throws IOException {
    if (out == null) {
      out = RecordOutput.alone();
    }
    out.write(object);
    return out;
  }

  @Override
  public Object read(Kryo kryo, Input from, Class<? extends Object> type) {
    try {
      int length = number(from, type);
      Object object =
          length == RecordClass.TABLED
              ? readTabled(kryo, from, type)
              : readAlone(kryo, fill(from, length), length);
      return checked(object, type);
    } catch (KryoException e) {
      throw e;
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw new KryoException(
          "cannot read a record of "
              + type.getName()
              + ". If it is state of before "
              + getClass().getSimpleName()
              + " was in the line of configuration, Kryo has written it: restore it without the"
              + " line, or write it anew with the State Processor API",
          e);
    }
  }

  private static int number(Input from, Class<?> type) throws IOException {
    int number = from.readVarInt(true);
    if (number < 0) {
      throw RecordInput.damaged(
          "a record of " + type.getName() + " has the length " + number, null);
    }
    return number;
  }

  private static Object checked(@Nullable Object object, Class<?> type) throws IOException {
    if (object == null || !type.isInstance(object)) {
      throw RecordInput.damaged(
          "a record has " + (object == null ? null : object.getClass().getName()), null);
    }
    return object;
  }

  private @Nullable Object readAlone(Kryo kryo, byte[] bytes, int length)
      throws IOException, ClassNotFoundException {
    if (in == null || !in.isFor(kryo.getClassLoader())) {
      in = RecordInput.alone(kryo.getClassLoader());
    }
    return in.read(bytes, length);
  }

  private @Nullable Object readTabled(Kryo kryo, Input from, Class<?> type)
      throws IOException, ClassNotFoundException {
    int fingerprint = from.readInt();
    RecordClass ofType = classOf(type);
    if (fingerprint == RecordClass.DESCRIBED) {
      int described = number(from, type);
      byte[] bytes = fill(from, described, description);
      description = kept(bytes);
      int length = number(from, type);
      return ofType.read(bytes, described, fill(from, length), length, kryo.getClassLoader());
    }
    if (fingerprint != ofType.fingerprint) {
      throw new InvalidClassException(
          type.getName(),
          String.format(
              "the record was written by another version of this class or of one that its fields"
                  + " lead to: fingerprint %08x in the record, %08x here. Restore it with the"
                  + " classes that have written it and with %s in the line of configuration: its"
                  + " records describe their classes, and later versions read them",
              fingerprint, ofType.fingerprint, UkaKryoSerializer.class.getName()));
    }
    int length = number(from, type);
    return ofType.read(fill(from, length), length, kryo.getClassLoader());
  }

  private byte[] fill(Input from, int length) {
    byte[] bytes = fill(from, length, record);
    record = kept(bytes);
    return bytes;
  }

  /** An array to be used again, unless it is large. */
  private static byte[] kept(byte[] bytes) {
    return bytes.length <= STEP_BYTES ? bytes : NONE;
  }

  /** Reads bytes, of whose array only as much is made as bytes arrive. */
  private static byte[] fill(Input from, int length, byte @Nullable [] old) {
    byte[] bytes =
        old != null && old.length >= length
            ? old
            : new byte[Math.min(Math.max(length, 1 << 9), STEP_BYTES)];
    int done = 0;
    while (done < length) {
      if (done == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
      }
      int part = Math.min(length, bytes.length) - done;
      from.readBytes(bytes, done, part);
      done += part;
    }
    return bytes;
  }

  @Override
  public Object copy(Kryo kryo, Object original) {
    Class<?> type = typeOf(original);
    try {
      RecordClass ofType = classOf(type);
      RecordOutput written = ofType.written(original);
      Object object;
      if (written == null) {
        written = writtenAlone(original);
        object = readAlone(kryo, written.bytes(), written.length());
      } else {
        object = ofType.read(written.bytes(), written.length(), kryo.getClassLoader());
      }
      return checked(object, type);
    } catch (IOException | ClassNotFoundException e) {
      throw new KryoException("cannot copy " + type.getName(), e);
    }
  }
}
