package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** UKA swapped in for the JDK's streams in a program that opens fresh ones for every message. */
final class UkaStreamCodec extends Codec {
  private final ReusableOutput output = new ReusableOutput();

  @Override
  int serialize(Object object) throws IOException {
    output.reset();
    UkaObjectOutputStream stream = new UkaObjectOutputStream(output);
    stream.writeObject(object);
    stream.flush();
    return output.size();
  }

  @Override
  byte[] bytes() {
    return output.array();
  }

  @Override
  Object deserialize(byte[] message, int length) throws IOException, ClassNotFoundException {
    return new UkaObjectInputStream(new ByteArrayInputStream(message, 0, length)).readObject();
  }
}
