package io.karmi.flink;

import io.karmi.uka.records.NumberedClasses;
import java.io.EOFException;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Serializer of a class and its subclasses on UKA's streams, with the semantics of {@code java.io}.
 *
 * <p>A record is its kind, its length and its bytes. Its kind says whether its classes are those of
 * the table, which {@link UkaTypeSnapshot} keeps with the state, or are described in the record.
 * Flink uses each instance in one thread, and duplicates it for others.
 */
public final class UkaTypeSerializer<T> extends TypeSerializer<T> {
  private static final long serialVersionUID = 1;

  private static final int TABLE = 0xE0;
  private static final int ALONE = 0xE1;

  private static final int KEPT_BYTES = 1 << 16;

  private final Class<T> type;

  /** Why the last state that was compared does not fit. */
  private transient volatile @Nullable String refused;

  /** The table that restored state was written with; null for that of the class as it is. */
  private final UkaTypeSnapshot.@Nullable Kept kept;

  private transient @Nullable NumberedClasses table;
  private transient @Nullable RecordOutput outWithTable;
  private transient @Nullable RecordOutput outAlone;
  private transient @Nullable RecordInput inWithTable;
  private transient @Nullable RecordInput inAlone;
  private transient byte[] record;

  /** A serializer of a class as it is now. */
  public UkaTypeSerializer(Class<T> type) {
    this(type, null);
  }

  @SuppressWarnings("NullAway") // the array is made when it is needed
  UkaTypeSerializer(Class<T> type, UkaTypeSnapshot.@Nullable Kept kept) {
    this.type = type;
    this.kept = kept;
  }

  Class<T> type() {
    return type;
  }

  private NumberedClasses table() throws IOException {
    if (table == null) {
      table = kept == null ? TypeTable.of(type) : kept.table();
    }
    return table;
  }

  private ClassLoader loader() {
    ClassLoader own = type.getClassLoader();
    return own != null ? own : Thread.currentThread().getContextClassLoader();
  }

  private RecordOutput written(@Nullable T object) throws IOException {
    if (isTabled(object)) {
      if (outWithTable == null) {
        outWithTable = RecordOutput.withTable(table());
      }
      if (outWithTable.write(object)) {
        return outWithTable;
      }
    }
    if (outAlone == null) {
      outAlone = RecordOutput.alone();
    }
    outAlone.write(object);
    return outAlone;
  }

  /** Whether the table may do: it has the object's class, or there is nothing to be described. */
  private boolean isTabled(@Nullable T object) throws IOException {
    /* What a restored serializer writes describes itself: its table tells of earlier classes. */
    return kept == null
        && (object == null || object.getClass() == type || table().contains(classOf(object)));
  }

  private static Class<?> classOf(Object object) {
    return object instanceof Enum<?> constant ? constant.getDeclaringClass() : object.getClass();
  }

  private @Nullable T object(int kind, byte[] bytes, int length) throws IOException {
    try {
      Object object = kind == TABLE ? tabled(bytes, length) : inAlone().read(bytes, length);
      if (object != null && !type.isInstance(object)) {
        throw RecordInput.damaged(
            "a record of " + type.getName() + " is of " + object.getClass().getName(), null);
      }
      return type.cast(object);
    } catch (ClassNotFoundException | RuntimeException e) {
      throw new IOException("cannot read a record of " + type.getName(), e);
    }
  }

  private @Nullable Object tabled(byte[] bytes, int length)
      throws IOException, ClassNotFoundException {
    RecordInput in = inWithTable != null ? inWithTable : RecordInput.withTable(table(), loader());
    inWithTable = null; // not used again after a failure
    Object object = in.read(bytes, length);
    inWithTable = in;
    return object;
  }

  private RecordInput inAlone() throws IOException {
    if (inAlone == null) {
      inAlone = RecordInput.alone(loader());
    }
    return inAlone;
  }

  @Override
  public void serialize(@Nullable T object, DataOutputView to) throws IOException {
    RecordOutput written = written(object);
    to.writeByte(written == outAlone ? ALONE : TABLE);
    writeNumber(to, written.length());
    to.write(written.bytes(), 0, written.length());
  }

  private static void writeNumber(DataOutputView to, int number) throws IOException {
    int rest = number;
    while (rest >>> 7 != 0) {
      to.writeByte(rest | 0x80);
      rest >>>= 7;
    }
    to.writeByte(rest);
  }

  private static int readNumber(DataInputView from) throws IOException {
    int number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = from.readUnsignedByte();
      number |= (next & 0x7F) << shift;
      if (next < 0x80) {
        if (number < 0) {
          break;
        }
        return number;
      }
    }
    throw RecordInput.damaged("a record's length is no number", null);
  }

  private static int readKind(DataInputView from) throws IOException {
    int kind = from.readUnsignedByte();
    if (kind != TABLE && kind != ALONE) {
      throw RecordInput.damaged(String.format("0x%02X begins no record", kind), null);
    }
    return kind;
  }

  @Override
  @SuppressWarnings("NullAway") // Flink's methods say nothing of null; it is a value like others
  public T deserialize(DataInputView from) throws IOException {
    int kind = readKind(from);
    int length = readNumber(from);
    readRecord(from, length);
    return object(kind, record, length);
  }

  private void readRecord(DataInputView from, int length) throws IOException {
    if (length <= KEPT_BYTES) {
      if (record == null || record.length < length) {
        record = new byte[Math.max(length, 1 << 9)];
      }
      from.readFully(record, 0, length);
    } else {
      record = RecordInput.readFully(from, length);
    }
  }

  @Override
  public T deserialize(T reuse, DataInputView from) throws IOException {
    return deserialize(from);
  }

  @Override
  public void copy(DataInputView from, DataOutputView to) throws IOException {
    int kind = readKind(from);
    int length = readNumber(from);
    readRecord(from, length);
    to.writeByte(kind);
    writeNumber(to, length);
    to.write(record, 0, length);
  }

  @Override
  @SuppressWarnings("NullAway") // see deserialize
  public T copy(T from) {
    try {
      RecordOutput written = written(from);
      return object(written == outAlone ? ALONE : TABLE, written.bytes(), written.length());
    } catch (EOFException e) {
      throw new IllegalStateException("a record that was just written ends early", e);
    } catch (IOException e) {
      throw new org.apache.flink.util.FlinkRuntimeException("cannot copy a " + type.getName(), e);
    }
  }

  @Override
  public T copy(T from, T reuse) {
    return copy(from);
  }

  @Override
  public TypeSerializer<T> duplicate() {
    return new UkaTypeSerializer<>(type, kept);
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  /** Null: Flink asks only to have an object to fill, and none is filled here. */
  @Override
  @SuppressWarnings("NullAway")
  public T createInstance() {
    return null;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    try {
      return new UkaTypeSnapshot<>(this, TypeTable.of(type));
    } catch (IOException e) {
      throw new org.apache.flink.util.FlinkRuntimeException(
          "cannot describe " + type.getName() + " for a snapshot", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UkaTypeSerializer && ((UkaTypeSerializer<?>) other).type == type;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  /** Keeps why state does not fit, which Flink's StateMigrationException cannot be given. */
  void refuses(String reason) {
    refused = reason;
  }

  /**
   * For messages of Flink: the class, the version of its description, and why state did not fit.
   */
  @Override
  public String toString() {
    String name = "UkaTypeSerializer of " + type.getName();
    try {
      NumberedClasses table = kept == null ? TypeTable.of(type) : kept.table();
      name += String.format(", description %08x", table.fingerprint());
    } catch (IOException e) {
      name += ", which cannot be described";
    }
    String reason = refused;
    return reason == null ? name : name + ": " + reason;
  }
}
