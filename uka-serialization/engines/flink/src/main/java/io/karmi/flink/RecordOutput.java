package io.karmi.flink;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writer of records that stand alone: the bytes of one record after the other in its buffer. Not
 * thread-safe.
 */
final class RecordOutput extends UkaObjectOutputStream {
  private static final int KEPT_BYTES = 1 << 16;

  private final OutputBuffer buffer;
  private final boolean alone;

  /** Whether a class was described since the last object began. */
  private boolean described;

  private RecordOutput(OutputBuffer buffer, boolean alone) throws IOException {
    super(buffer, new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.FULL));
    this.buffer = buffer;
    this.alone = alone;
  }

  /** Writes records that describe their classes. */
  static RecordOutput alone() throws IOException {
    return new RecordOutput(new OutputBuffer(1 << 9), true);
  }

  /** Writes records whose classes are numbered as in a table. */
  static RecordOutput withTable(TypeTable table) throws IOException {
    RecordOutput out = new RecordOutput(new OutputBuffer(1 << 9), false);
    for (Object each : table.beginning()) {
      out.writeObject(each);
    }
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
    if (alone) {
      reset();
    } else {
      resetObjects();
    }
    described = false;
    boolean written = false;
    try {
      writeObject(object);
      written = alone || !described;
      return written;
    } finally {
      if (!written) {
        discardMessage();
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
