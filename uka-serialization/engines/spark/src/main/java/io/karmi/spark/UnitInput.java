package io.karmi.spark;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.records.DescribedInput;
import io.karmi.uka.records.NumberedClasses;
import java.io.IOException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of the units of one kind: an embedded stream with its buffer.
 *
 * <p>A unit of the table describes no class: that would give a number of the table to another one,
 * in later blocks, too.
 */
final class UnitInput {
  private static final byte[] NONE = {};

  private final InputBuffer buffer;
  private final DescribedInput stream;

  /** Whether all that was begun could be read. */
  private boolean sound = true;

  /** Null if the units have none. */
  private final @Nullable NumberedClasses table;

  private UnitInput(@Nullable NumberedClasses table, ClassLoader loader) throws IOException {
    this.table = table;
    buffer = new InputBuffer(NONE, 0, 0);
    stream = new DescribedInput(buffer, loader);
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

  /** Whether it may read another block. */
  boolean isSound() {
    return sound;
  }

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
    sound = false;
    stream.beginRecord();
    Object object = stream.readObject();
    if (stream.hasDescribed() && table != null) {
      throw new StreamCorruptedException(
          "a record describes a class, and is in a unit whose classes are those of the table: is the"
              + " block damaged?");
    }
    sound = true;
    return object;
  }
}
