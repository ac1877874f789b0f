package io.karmi.spark;

import io.karmi.uka.records.LoaderInput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamConstants;
import java.io.StreamCorruptedException;
import org.apache.spark.serializer.DeserializationStream;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * The objects of a block, whichever settings it was written with: its bytes tell streams from
 * units. Streams of Spark's JavaSerializer, such as earlier checkpoints, are read, too.
 */
final class UkaInput extends DeserializationStream {
  private final Source source;
  private final UkaInstance instance;
  private final ClassLoader loader;

  /** The bytes of the stream that is being read: the rest of the block, or parts of it. */
  private @Nullable Source streamBytes;

  private @Nullable LoaderInput stream;

  /** Whether {@link #stream} is in the JDK's format. */
  private boolean isJdks;

  private @Nullable UnitInput unit;
  private @Nullable UnitInput unitsOfTable;
  private @Nullable UnitInput unitsAlone;

  UkaInput(InputStream in, UkaInstance instance, ClassLoader loader) {
    this.source = new Source(in);
    this.instance = instance;
    this.loader = loader;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> T readObject(ClassTag<T> tag) {
    try {
      return (T) next();
    } catch (IOException | ClassNotFoundException e) {
      throw Failures.sneak(e);
    }
  }

  /** A value follows its key: the end of the block here is inside a record. */
  @Override
  @SuppressWarnings("unchecked")
  public <T> T readValue(ClassTag<T> tag) {
    long begin = source.offset();
    try {
      return (T) next();
    } catch (EOFException e) {
      throw Failures.sneak(Failures.cutOff(begin, e));
    } catch (IOException | ClassNotFoundException e) {
      throw Failures.sneak(e);
    }
  }

  private Object next() throws IOException, ClassNotFoundException {
    while (true) {
      long begin = source.offset();
      try {
        if (unit != null && unit.hasMore()) {
          return unit.read();
        }
        if (stream != null && streamBytes != null && goesOn(streamBytes)) {
          return stream.readObject();
        }
        if (source.peek() >= 0) {
          beginUnit();
          continue;
        }
      } catch (EOFException e) {
        throw Failures.cutOff(begin, e);
      } catch (StreamCorruptedException e) {
        throw source.peek() < 0 ? Failures.cutOff(begin, e) : e; // the stream tells it so
      }
      giveBack();
      throw new EOFException("no more objects in this block");
    }
  }

  /**
   * Whether the stream goes on; behind a block there may be another one. JavaSerializer resets its
   * stream behind each hundredth object, also behind the last one.
   */
  private boolean goesOn(Source bytes) throws IOException {
    int next = bytes.peek();
    if (!isJdks) {
      return next >= 0 && next != Units.STREAM;
    }
    boolean reset = next == ObjectStreamConstants.TC_RESET;
    if (reset) {
      next = bytes.peekSecond();
    }
    boolean goesOn = next >= 0 && next != Units.STREAM && next != Units.JDK_STREAM;
    if (reset && !goesOn) {
      bytes.read();
    }
    return goesOn;
  }

  private void beginUnit() throws IOException, ClassNotFoundException {
    unit = null;
    stream = null;
    streamBytes = null;
    int kind = source.peek();
    isJdks = kind == Units.JDK_STREAM;
    if (kind == Units.STREAM || isJdks) { // no frame of a stream begins so
      streamBytes = source;
      stream = new LoaderInput(source, loader);
      return;
    }
    if (kind < Units.TABLE || kind > Units.LAST_PART) {
      throw new StreamCorruptedException(
          String.format(
              "byte 0x%02X at offset %d of the block begins no record of UkaSerializer; was it"
                  + " written by another serializer, or is it damaged?",
              kind, source.offset()));
    }
    source.read();
    int length = source.readNumber();
    if (kind == Units.TABLE || kind == Units.ALONE) {
      UnitInput units = kind == Units.TABLE ? unitsOfTable() : unitsAlone();
      units.begin(source, length);
      unit = units;
    } else {
      streamBytes = new Source(new PartInput(source, kind == Units.LAST_PART, length));
      stream = new LoaderInput(streamBytes, loader);
    }
  }

  private UnitInput unitsOfTable() throws IOException, ClassNotFoundException {
    if (unitsOfTable == null) {
      unitsOfTable = instance.takeInput(loader);
    }
    return unitsOfTable;
  }

  private UnitInput unitsAlone() throws IOException {
    if (unitsAlone == null) {
      unitsAlone = UnitInput.alone(loader);
    }
    return unitsAlone;
  }

  private void giveBack() {
    if (unitsOfTable != null) {
      instance.giveBack(unitsOfTable);
      unitsOfTable = null;
      unit = null;
    }
  }

  @Override
  public void close() {
    giveBack();
    try {
      source.close();
    } catch (IOException e) {
      throw Failures.sneak(e);
    }
  }
}
