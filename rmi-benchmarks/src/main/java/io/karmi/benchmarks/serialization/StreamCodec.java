package io.karmi.benchmarks.serialization;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;

/** A pair of object streams for every message, over a buffer that lives on. */
final class StreamCodec extends Codec {
  /** Opens the stream that writes. */
  @FunctionalInterface
  interface Writing {
    ObjectOutputStream open(OutputStream out) throws IOException;
  }

  /** Opens the stream that reads. */
  @FunctionalInterface
  interface Reading {
    ObjectInputStream open(InputStream in) throws IOException;
  }

  private final Writing writing;
  private final Reading reading;
  private final ReusableOutput output = new ReusableOutput();

  StreamCodec(Writing writing, Reading reading) {
    this.writing = writing;
    this.reading = reading;
  }

  /** The JDK's streams. */
  static StreamCodec ofJdk() {
    return new StreamCodec(ObjectOutputStream::new, ObjectInputStream::new);
  }

  /** The JDK's streams with the overrides that RMI's have. */
  static StreamCodec ofRmi() {
    return new StreamCodec(RmiOutput::new, RmiInput::new);
  }

  @Override
  public int serialize(Object object) throws IOException {
    output.reset();
    ObjectOutputStream stream = writing.open(output);
    stream.writeObject(object);
    stream.flush();
    return output.size();
  }

  @Override
  public byte[] bytes() {
    return output.array();
  }

  @Override
  public Object deserialize(byte[] message, int length) throws IOException, ClassNotFoundException {
    return reading.open(new ByteArrayInputStream(message, 0, length)).readObject();
  }

  /** A byte array stream whose array can be looked at without a copy. */
  static final class ReusableOutput extends ByteArrayOutputStream {
    ReusableOutput() {
      super(1 << 18);
    }

    byte[] array() {
      return buf;
    }
  }

  /** Annotates classes and offers objects for replacement, as RMI does on every call. */
  private static final class RmiOutput extends ObjectOutputStream {
    RmiOutput(OutputStream output) throws IOException {
      super(output);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      return object;
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(null);
    }
  }

  private static final class RmiInput extends ObjectInputStream {
    RmiInput(InputStream input) throws IOException {
      super(input);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      readObject();
      return super.resolveClass(description);
    }
  }
}
