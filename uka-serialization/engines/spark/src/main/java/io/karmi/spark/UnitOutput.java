package io.karmi.spark;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One unit after the other, of objects that share their handles: an embedded stream with its
 * buffer. Used by one stream of Spark's at a time.
 */
final class UnitOutput extends UkaObjectOutputStream {
  private final int kind;

  /** Null if the units have none. */
  private final @Nullable NumberedClasses table;

  private final OutputBuffer buffer;
  private int count;

  /** Whether a class was described since the last object began. */
  private boolean described;

  private UnitOutput(
      int kind, @Nullable NumberedClasses table, OutputBuffer buffer, UkaOptions options)
      throws IOException {
    super(buffer, options);
    this.table = table;
    this.kind = kind;
    this.buffer = buffer;
  }

  /** Writes units whose types are those of a table. */
  static UnitOutput withTable(NumberedClasses table) throws IOException {
    OutputBuffer buffer = new OutputBuffer(1 << 10);
    UkaOptions options = new UkaOptions(UkaOptions.Format.UKA, UkaOptions.Types.FULL);
    UnitOutput units = new UnitOutput(Units.TABLE, table, buffer, options);
    table.begin(units, buffer);
    units.begin();
    return units;
  }

  /** Writes units that describe their types. */
  static UnitOutput alone(UkaOptions.Types types) throws IOException {
    OutputBuffer buffer = new OutputBuffer(1 << 10);
    UnitOutput units =
        new UnitOutput(Units.ALONE, null, buffer, new UkaOptions(UkaOptions.Format.UKA, types));
    units.begin();
    return units;
  }

  /** Whether the type numbers are those of a table. */
  boolean has(@Nullable NumberedClasses other) {
    return table == other;
  }

  private void begin() throws IOException {
    buffer.position = 0;
    buffer.reserve(Units.HEAD_BYTES);
    buffer.position = Units.HEAD_BYTES;
    count = 0;
    if (kind == Units.ALONE) {
      reset();
    } else {
      resetObjects();
    }
  }

  @Override
  protected void annotateClass(Class<?> type) {
    described = true;
  }

  @Override
  protected void annotateProxyClass(Class<?> type) {
    described = true;
  }

  int count() {
    return count;
  }

  /** The number of bytes in the unit. */
  int length() {
    return buffer.position - Units.HEAD_BYTES;
  }

  /**
   * Adds an object to the unit.
   *
   * @return false if the unit has a table that does not have all classes of the object. Then the
   *     object is not in the unit, which must be ended.
   */
  boolean add(@Nullable Object object) throws IOException {
    int mark = buffer.position;
    described = false;
    boolean added = false;
    try {
      writeObject(object);
      added = !described || kind == Units.ALONE;
    } finally {
      if (!added) {
        discardMessage();
        buffer.position = mark;
      }
    }
    if (added) {
      count++;
    }
    return added;
  }

  /** Hands the unit over, if there is an object in it, and begins the next one. */
  void end(OutputStream out) throws IOException {
    try {
      if (count > 0) {
        int begin = Units.putHead(buffer.bytes, kind, length());
        out.write(buffer.bytes, begin, buffer.position - begin);
      }
    } finally {
      if (buffer.bytes.length > 4 * Units.FULL_BYTES) {
        buffer.bytes = new byte[1 << 10]; // after a large object
      }
      begin();
    }
  }
}
