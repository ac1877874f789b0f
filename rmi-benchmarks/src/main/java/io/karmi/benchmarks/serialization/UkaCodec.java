package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * UKA on a connection: one stream each way, objects forgotten between messages, types kept (paper
 * 3.3); with the payloads' own classes, or with copies of them.
 */
final class UkaCodec extends Codec {
  private final OutputBuffer output = new OutputBuffer(1 << 18);
  private final InputBuffer input = new InputBuffer(new byte[0], 0, 0);
  private final UkaObjectOutputStream writer = new UkaObjectOutputStream(output);
  private final UkaObjectInputStream reader = new UkaObjectInputStream(input);
  private final @Nullable PayloadCopies copies;
  private final Receiver receiver;

  private UkaCodec(@Nullable PayloadCopies copies) throws IOException {
    this.copies = copies;
    receiver = copies == null ? new PlainReceiver() : copies.receiver();
  }

  static UkaCodec asItComes() throws IOException {
    return new UkaCodec(null);
  }

  static UkaCodec copied() throws IOException {
    return new UkaCodec(PayloadCopies.asTheyAre());
  }

  static UkaCodec woven() throws IOException {
    return new UkaCodec(PayloadCopies.woven());
  }

  @Override
  Specimen specimen(SerializationPayload payload) {
    return copies == null ? payload : copies.specimen(payload);
  }

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
    return receiver.receive(reader);
  }
}
