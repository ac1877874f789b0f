package io.karmi.flink;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.records.DescribedInput;
import io.karmi.uka.records.NumberedClasses;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import org.apache.flink.core.memory.DataInputView;
import org.jspecify.annotations.Nullable;

/** Reader of records that stand alone. Not thread-safe. */
final class RecordInput {
  private static final byte[] NONE = {};
  private static final int STEP_BYTES = 1 << 16;

  private final InputBuffer buffer = new InputBuffer(NONE, 0, 0);
  private final DescribedInput stream;
  private final ClassLoader loader;
  private final boolean alone;

  private RecordInput(ClassLoader loader, boolean alone) throws IOException {
    this.loader = loader;
    this.alone = alone;
    stream = new DescribedInput(buffer, loader);
  }

  /** Reads records that describe their classes. */
  static RecordInput alone(ClassLoader loader) throws IOException {
    return new RecordInput(loader, true);
  }

  /**
   * Reads records whose classes are numbered as in a table. After a failure it must not be used any
   * more: what such a record says about constants may be wrong.
   *
   * @throws java.io.InvalidClassException if a class is now one that cannot read what the table
   *     describes
   */
  static RecordInput withTable(NumberedClasses table, ClassLoader loader) throws IOException {
    RecordInput in = new RecordInput(loader, false);
    try {
      table.begin(in.stream, in.buffer);
    } catch (EOFException e) {
      throw damaged("a description of classes ends inside one", e);
    } finally {
      in.buffer.bytes = NONE;
    }
    return in;
  }

  boolean isFor(ClassLoader other) {
    return loader == other;
  }

  /** The object of a record. */
  @Nullable Object read(byte[] bytes, int length) throws IOException, ClassNotFoundException {
    buffer.bytes = bytes;
    buffer.position = 0;
    buffer.limit = length;
    stream.resetObjects();
    stream.beginRecord();
    Object object;
    try {
      object = stream.readObject();
    } catch (EOFException e) {
      /* To Flink an EOFException means that more bytes will come. */
      throw damaged("the record of " + length + " bytes ends inside an object", e);
    } finally {
      buffer.bytes = NONE;
    }
    if (buffer.position != buffer.limit) {
      throw damaged(
          (buffer.limit - buffer.position) + " of " + length + " bytes are left of a record", null);
    }
    if (stream.hasDescribed() && !alone) {
      throw damaged("a record describes a class, which is not in its table", null);
    }
    return object;
  }

  /** Reads bytes, of whose array only as much is made as bytes arrive. */
  static byte[] readFully(DataInputView from, int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, STEP_BYTES)];
    int done = 0;
    while (done < length) {
      if (done == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
      }
      from.readFully(bytes, done, bytes.length - done);
      done = bytes.length;
    }
    return bytes;
  }

  static StreamCorruptedException damaged(String problem, @Nullable Exception cause) {
    StreamCorruptedException damaged =
        new StreamCorruptedException(
            problem + "; was it written by another serializer, or is it damaged?");
    damaged.initCause(cause);
    return damaged;
  }
}
