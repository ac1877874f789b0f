package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/**
 * UKA swapped in for the JDK's streams in a program that opens fresh ones for every message: in
 * UKA's own format or in the JDK's.
 */
final class UkaStreamCodec extends Codec {
  private final UkaOptions options;
  private final ReusableOutput output = new ReusableOutput();

  UkaStreamCodec(UkaOptions options) {
    this.options = options;
  }

  @Override
  int serialize(Object object) throws IOException {
    output.reset();
    UkaObjectOutputStream stream = new UkaObjectOutputStream(output, options);
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
