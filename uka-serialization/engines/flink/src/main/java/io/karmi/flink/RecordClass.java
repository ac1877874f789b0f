package io.karmi.flink;

import com.esotericsoftware.kryo.io.Output;
import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class of records below Kryo: the table of the classes that its fields lead to, and what has
 * been prepared with it. Not thread-safe.
 */
final class RecordClass {
  /** The most bytes of a description that each record may carry. */
  private static final int MAXIMUM_DESCRIPTION_BYTES = 1 << 10;

  /** Readers that are kept, each for one description: versions of the class in state. */
  private static final int MAXIMUM_READERS = 4;

  /** In place of a fingerprint: a description follows. */
  static final int DESCRIBED = 0;

  /** In place of the length of a record that stands alone, which is never 0: the table is used. */
  static final int TABLED = 0;

  private final NumberedClasses table;
  final int fingerprint;

  /** Bytes in front of a record that uses the table; empty if none may. */
  final byte[] head;

  private @Nullable RecordOutput out;
  private @Nullable RecordInput own;
  private final List<Described> readers = new ArrayList<>();

  /** A reader of records with a description. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Described(byte[] description, RecordInput in) {
    boolean isFor(byte[] bytes, int length, ClassLoader loader) {
      return in.isFor(loader)
          && Arrays.equals(description, 0, description.length, bytes, 0, length);
    }
  }

  /**
   * @param slim whether a record has the fingerprint of the table, not the description
   */
  RecordClass(Class<?> type, boolean slim) throws IOException {
    table = TypeTable.behindJdkClasses(type);
    int hash = table.fingerprint();
    fingerprint = hash == DESCRIBED ? ~DESCRIBED : hash;
    head = JdkClasses.areUsual() ? head(slim) : new byte[0];
  }

  private byte[] head(boolean slim) {
    int length = table.bytes().length;
    if (length == 0 || !slim && length > MAXIMUM_DESCRIPTION_BYTES) {
      return new byte[0];
    }
    Output to = new Output(1 << 6, -1);
    to.writeVarInt(TABLED, true);
    to.writeInt(slim ? fingerprint : DESCRIBED);
    if (!slim) {
      to.writeVarInt(length, true);
      to.writeBytes(table.bytes());
    }
    return to.toBytes();
  }

  /** A record that uses the table; null if the table does not do, or must not be used. */
  @Nullable RecordOutput written(Object object) throws IOException {
    if (head.length == 0) {
      return null;
    }
    if (out == null) {
      out = RecordOutput.withTable(table);
    }
    return out.write(object) ? out : null;
  }

  /** The object of a record that uses the table. */
  @Nullable Object read(byte[] bytes, int length, ClassLoader loader)
      throws IOException, ClassNotFoundException {
    RecordInput in = own != null && own.isFor(loader) ? own : RecordInput.withTable(table, loader);
    own = null; // not used again after a failure
    Object object = in.read(bytes, length);
    own = in;
    return object;
  }

  /**
   * The object of a record with a description, which may be that of another version of the class.
   *
   * @param description of which the first {@code described} bytes count
   */
  @Nullable Object read(
      byte[] description, int described, byte[] bytes, int length, ClassLoader loader)
      throws IOException, ClassNotFoundException {
    Described reader = take(description, described, loader);
    Object object = reader.in.read(bytes, length);
    if (readers.size() == MAXIMUM_READERS) {
      readers.remove(MAXIMUM_READERS - 1);
    }
    readers.add(0, reader);
    return object;
  }

  /** A reader, which is not among those that are kept until it has read a record. */
  private Described take(byte[] description, int length, ClassLoader loader) throws IOException {
    for (int i = 0; i < readers.size(); i++) {
      if (readers.get(i).isFor(description, length, loader)) {
        return readers.remove(i);
      }
    }
    byte[] kept = Arrays.copyOf(description, length);
    return new Described(kept, RecordInput.withTable(JdkClasses.usual().thenKept(kept), loader));
  }
}
