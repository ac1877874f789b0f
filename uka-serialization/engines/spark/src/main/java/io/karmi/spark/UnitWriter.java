package io.karmi.spark;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * A block of units, which Spark may cut where it has flushed.
 *
 * <p>Keys and values are a shuffle's: their units use the table of classes. Where one meets a class
 * that is not in the table, it and what follows go into units that describe their types. Other
 * objects are a cache's, a broadcast's or a checkpoint's: they go into one stream up to the next
 * flush.
 */
final class UnitWriter extends SerializationStream {
  private final OutputStream out;
  private final UkaInstance instance;
  private final UkaSettings settings;

  /** Output of keys and values. */
  private UnitOutput units;

  /** Whether classes have come that are not in the table. */
  private boolean alone;

  private @Nullable UkaObjectOutputStream stream;
  private @Nullable PartOutput parts;
  private int recordsInStream;

  UnitWriter(OutputStream out, UkaInstance instance) throws IOException {
    this.out = out;
    this.instance = instance;
    this.settings = instance.settings;
    units = instance.takeOutput();
  }

  @Override
  public <T> SerializationStream writeKey(@Nullable T key, ClassTag<T> tag) {
    writeRecord(key);
    return this;
  }

  @Override
  public <T> SerializationStream writeValue(@Nullable T value, ClassTag<T> tag) {
    writeRecord(value);
    return this;
  }

  private void writeRecord(@Nullable Object object) {
    boolean added = false;
    try {
      endStream();
      added = units.add(object);
      if (!added) {
        units.end(out);
        useUnitsAlone();
        added = units.add(object);
      }
      if (units.count() >= 2 * settings.recordsBeforeReset()
          || units.length() >= Units.FULL_BYTES) {
        units.end(out);
      }
    } catch (IOException e) {
      throw Failures.unwritten(object, e, settings);
    } finally {
      if (!added) {
        endUnit();
      }
    }
  }

  /* A writer that has taken back a message has also taken back numbers of the table's enums. */
  private void useUnitsAlone() throws IOException {
    alone = true;
    units = UnitOutput.alone(settings.typesInRecords());
  }

  /** Ends the unit after an object that could not be written. */
  private void endUnit() {
    try {
      units.end(out);
      useUnitsAlone();
    } catch (IOException e) {
      throw Failures.sneak(e);
    }
  }

  @Override
  public <T> SerializationStream writeObject(@Nullable T object, ClassTag<T> tag) {
    try {
      units.end(out);
      if (stream == null) {
        parts = new PartOutput(out);
        stream =
            new UkaObjectOutputStream(
                parts, new UkaOptions(UkaOptions.Format.UKA, settings.typesInStreams()));
        recordsInStream = 0;
      }
      if (recordsInStream == settings.recordsBeforeReset()) {
        stream.resetObjects();
        recordsInStream = 0;
      }
      recordsInStream++;
      stream.writeObject(object);
      return this;
    } catch (IOException e) {
      throw Failures.unwritten(object, e, settings);
    }
  }

  private void endStream() throws IOException {
    if (stream != null && parts != null) {
      stream.flush();
      parts.end();
      stream = null;
      parts = null;
    }
  }

  @Override
  public void flush() {
    try {
      units.end(out);
      endStream();
      out.flush();
    } catch (IOException e) {
      throw Failures.sneak(e);
    }
  }

  @Override
  public void close() {
    flush();
    if (!alone) {
      alone = true;
      instance.giveBack(units);
    }
    try {
      out.close();
    } catch (IOException e) {
      throw Failures.sneak(e);
    }
  }
}
