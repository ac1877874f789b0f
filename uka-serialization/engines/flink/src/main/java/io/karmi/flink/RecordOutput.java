package io.karmi.flink;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writer of records that stand alone: the bytes of one record after the other in its buffer. Not
 * thread-safe.
 *
 * <p>The bytes of a record depend on its object alone, not on the records before it: backends
 * compare keys by their bytes.
 */
final class RecordOutput extends UkaObjectOutputStream {
  private static final int KEPT_BYTES = 1 << 16;

  private final OutputBuffer buffer;

  /** Null if records describe their classes. */
  private final @Nullable NumberedClasses table;

  /** Whether a class was described since the last object began. */
  private boolean described;

  private RecordOutput(OutputBuffer buffer, @Nullable NumberedClasses table) throws IOException {
    super(buffer, new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.FULL));
    this.buffer = buffer;
    this.table = table;
  }

  /** Writes records that describe their classes. */
  static RecordOutput alone() throws IOException {
    return new RecordOutput(new OutputBuffer(1 << 9), null);
  }

  /** Writes records whose classes are numbered as in a table. */
  static RecordOutput withTable(NumberedClasses table) throws IOException {
    OutputBuffer buffer = new OutputBuffer(1 << 9);
    RecordOutput out = new RecordOutput(buffer, table);
    table.begin(out, buffer);
    return out;
  }

  @Override
  protected void annotateClass(Class<?> type) {
    described = true;
  }

  @Override
  protected void annotateProxyClass(Class<?> type) {
    described = true;
  }

  /**
   * Writes a record, in place of the one before.
   *
   * @return false if it has a class that is not in the table; then there is no record
   */
  boolean write(@Nullable Object object) throws IOException {
    if (buffer.bytes.length > KEPT_BYTES) {
      buffer.bytes = new byte[1 << 9]; // after a large record
    }
    buffer.position = 0;
    if (table == null) {
      reset();
    } else {
      resetObjects();
    }
    described = false;
    boolean written = false;
    try {
      writeObject(object);
      written = table == null || !described;
      return written;
    } finally {
      if (!written) {
        discardMessage();
        if (table != null) {
          table.goOn(this, buffer);
        }
      }
    }
  }

  /** The bytes of the record, from 0 on. */
  byte[] bytes() {
    return buffer.bytes;
  }

  int length() {
    return buffer.position;
  }
}
