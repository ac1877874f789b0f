package io.karmi.spark;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import io.karmi.uka.records.NumberedClasses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * The serializer of one thread, mostly of one task. It keeps the table of classes, and what has
 * been prepared with it, for the next of its streams. Not thread-safe.
 */
final class UkaInstance extends SerializerInstance {
  final UkaSettings settings;
  private final Supplier<ClassLoader> defaultLoader;

  private @Nullable NumberedClasses table;

  /** The loader that {@link #table} and {@link #inputs} were made for. */
  private @Nullable ClassLoader loaderOfTable;

  private final Deque<UnitOutput> outputs = new ArrayDeque<>();
  private final Deque<UnitInput> inputs = new ArrayDeque<>();

  UkaInstance(UkaSettings settings, Supplier<ClassLoader> defaultLoader) {
    this.settings = settings;
    this.defaultLoader = defaultLoader;
  }

  @Override
  public <T> ByteBuffer serialize(@Nullable T object, ClassTag<T> tag) {
    Bytes bytes = new Bytes();
    UkaOptions options = new UkaOptions(UkaOptions.Format.UKA, settings.typesInStreams());
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, options)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw Failures.unwritten(object, e, settings);
    }
    return bytes.toBuffer();
  }

  @Override
  public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
    return deserialize(bytes, defaultLoader.get(), tag);
  }

  @Override
  public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
    return new UkaInput(new BufferInput(bytes.duplicate()), this, loader).readObject(tag);
  }

  @Override
  public SerializationStream serializeStream(OutputStream out) {
    try {
      return settings.relocatable() ? new UnitWriter(out, this) : new StreamWriter(out, settings);
    } catch (IOException e) {
      throw Failures.sneak(e);
    }
  }

  @Override
  public DeserializationStream deserializeStream(InputStream in) {
    return deserializeStream(in, defaultLoader.get());
  }

  /** The objects of a block, whose classes the loader finds. */
  DeserializationStream deserializeStream(InputStream in, ClassLoader loader) {
    return new UkaInput(in, this, loader);
  }

  private NumberedClasses table(ClassLoader loader) throws IOException, ClassNotFoundException {
    if (table == null || loaderOfTable != loader) {
      table = ClassTable.of(settings.classes(), loader);
      loaderOfTable = loader;
      inputs.clear();
      outputs.clear();
    }
    return table;
  }

  /** A writer of units with the table. */
  UnitOutput takeOutput() throws IOException {
    try {
      NumberedClasses current = table(defaultLoader.get());
      UnitOutput known = outputs.poll();
      return known != null ? known : UnitOutput.withTable(current);
    } catch (ClassNotFoundException e) {
      throw Failures.sneak(e);
    }
  }

  /** Takes a writer of units back, for the next stream. */
  void giveBack(UnitOutput output) {
    if (output.has(table)) {
      outputs.push(output);
    }
  }

  /** A reader of units with the table. */
  UnitInput takeInput(ClassLoader loader) throws IOException, ClassNotFoundException {
    NumberedClasses current = table(loader);
    UnitInput known = inputs.poll();
    return known != null ? known : UnitInput.withTable(current, loader);
  }

  /** Takes a reader of units back, for the next stream, unless a block was damaged. */
  void giveBack(UnitInput input) {
    if (input.has(table) && input.isSound()) {
      inputs.push(input);
    }
  }

  /** An array that grows and becomes a buffer without a copy. */
  private static final class Bytes extends ByteArrayOutputStream {
    Bytes() {
      super(1 << 8);
    }

    ByteBuffer toBuffer() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }

  /** The rest of a buffer, with or without an array. */
  private static final class BufferInput extends InputStream {
    private final ByteBuffer buffer;

    BufferInput(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public int read() {
      return buffer.hasRemaining() ? buffer.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      if (!buffer.hasRemaining()) {
        return length == 0 ? 0 : -1;
      }
      int count = Math.min(length, buffer.remaining());
      buffer.get(to, offset, count);
      return count;
    }

    @Override
    public int available() {
      return buffer.remaining();
    }
  }
}
