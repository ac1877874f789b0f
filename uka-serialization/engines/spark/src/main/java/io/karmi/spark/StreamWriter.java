package io.karmi.spark;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/** A block as one UKA stream: types are described once, and objects are known for some records. */
final class StreamWriter extends SerializationStream {
  private final UkaObjectOutputStream stream;
  private final int recordsBeforeReset;
  private final UkaSettings settings;
  private int records;

  StreamWriter(OutputStream out, UkaSettings settings) throws IOException {
    this.settings = settings;
    stream =
        new UkaObjectOutputStream(
            out, new UkaOptions(UkaOptions.Format.UKA, settings.typesInStreams()));
    recordsBeforeReset = settings.recordsBeforeReset();
  }

  @Override
  public <T> SerializationStream writeObject(@Nullable T object, ClassTag<T> tag) {
    try {
      if (records == recordsBeforeReset) {
        /* Before an object, never behind the last one: a reader must find one after a reset. */
        stream.resetObjects();
        records = 0;
      }
      records++;
      stream.writeObject(object);
      return this;
    } catch (IOException e) {
      throw Failures.unwritten(object, e, settings);
    }
  }

  @Override
  public void flush() {
    try {
      stream.flush();
    } catch (IOException e) {
      throw Failures.sneak(e);
    }
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw Failures.sneak(e);
    }
  }
}
