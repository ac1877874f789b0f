package io.karmi.benchmarks.serialization;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/** A pair of streams for every message, over a buffer that lives on. */
final class StreamCodec extends Codec {
  private final ReusableOutput output = new ReusableOutput();
  private final Opening<OutputStream, ObjectOutputStream> writing;
  private final Opening<InputStream, ObjectInputStream> reading;

  /** Opens a stream of objects over one of bytes. */
  interface Opening<B, O> {
    O open(B bytes) throws IOException;
  }

  StreamCodec(
      Opening<OutputStream, ObjectOutputStream> writing,
      Opening<InputStream, ObjectInputStream> reading) {
    this.writing = writing;
    this.reading = reading;
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
  private static final class ReusableOutput extends ByteArrayOutputStream {
    ReusableOutput() {
      super(1 << 18);
    }

    byte[] array() {
      return buf;
    }
  }
}
