package io.karmi.benchmarks.serialization;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** A pair of the JDK's streams for every message, over a buffer that lives on. */
final class StreamCodec extends Codec {
  private final ReusableOutput output = new ReusableOutput();

  @Override
  public int serialize(Object object) throws IOException {
    output.reset();
    ObjectOutputStream stream = new ObjectOutputStream(output);
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
    return new ObjectInputStream(new ByteArrayInputStream(message, 0, length)).readObject();
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
}
