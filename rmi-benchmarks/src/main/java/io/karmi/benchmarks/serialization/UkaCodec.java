package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;

/**
 * UKA on a connection: one stream each way, objects forgotten between messages, types kept (paper
 * 3.3).
 */
final class UkaCodec extends Codec {
  private final OutputBuffer output = new OutputBuffer(1 << 18);
  private final InputBuffer input = new InputBuffer(new byte[0], 0, 0);
  private final UkaObjectOutputStream writer = new UkaObjectOutputStream(output);
  private final UkaObjectInputStream reader = new UkaObjectInputStream(input);

  UkaCodec() throws IOException {}

  @Override
  public int serialize(Object object) throws IOException {
    output.position = 0;
    writer.resetObjects();
    writer.writeObject(object);
    return output.position;
  }

  @Override
  public byte[] bytes() {
    return output.bytes;
  }

  @Override
  public Object deserialize(byte[] message, int length) throws IOException, ClassNotFoundException {
    input.bytes = message;
    input.position = 0;
    input.limit = length;
    reader.resetObjects();
    return reader.readObject();
  }
}
