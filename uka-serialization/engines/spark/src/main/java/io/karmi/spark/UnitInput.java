package io.karmi.spark;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.records.LoaderInput;
import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reader of the units of one kind: an embedded stream with its buffer. */
final class UnitInput {
  private static final byte[] NONE = {};

  private final InputBuffer buffer;
  private final LoaderInput stream;

  /** Null if the units have none. */
  private final @Nullable NumberedClasses table;

  private UnitInput(@Nullable NumberedClasses table, ClassLoader loader) throws IOException {
    this.table = table;
    buffer = new InputBuffer(NONE, 0, 0);
    stream = new LoaderInput(buffer, loader);
  }

  static UnitInput withTable(NumberedClasses table, ClassLoader loader) throws IOException {
    UnitInput units = new UnitInput(table, loader);
    table.begin(units.stream, units.buffer);
    return units;
  }

  static UnitInput alone(ClassLoader loader) throws IOException {
    return new UnitInput(null, loader);
  }

  /** Whether the type numbers are those of a table. */
  boolean has(@Nullable NumberedClasses other) {
    return table == other;
  }

  /** Fetches a unit of that length. */
  void begin(Source source, int length) throws IOException {
    stream.resetObjects();
    buffer.bytes = source.readInto(buffer.bytes, length);
    buffer.position = 0;
    buffer.limit = length;
  }

  boolean hasMore() {
    return buffer.position < buffer.limit;
  }

  Object read() throws IOException, ClassNotFoundException {
    return stream.readObject();
  }
}
