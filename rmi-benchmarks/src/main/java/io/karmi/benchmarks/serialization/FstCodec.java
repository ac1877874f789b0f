package io.karmi.benchmarks.serialization;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.nustaq.serialization.FSTConfiguration;
import org.nustaq.serialization.FSTObjectInput;
import org.nustaq.serialization.FSTObjectOutput;

/**
 * FST, as it comes. It looks into closed packages of the JDK and therefore runs with the options of
 * {@link SerializationStack#jvmOptions} only.
 */
final class FstCodec extends Codec {
  private final FSTConfiguration configuration = FSTConfiguration.createDefaultConfiguration();
  private byte[] buffer = new byte[0];

  @Override
  public int serialize(Object object) throws IOException {
    FSTObjectOutput output = configuration.getObjectOutput();
    output.writeObject(object);
    buffer = output.getBuffer();
    return output.getWritten();
  }

  @Override
  public byte[] bytes() {
    return buffer;
  }

  @Override
  public Object deserialize(byte[] message, int length) throws IOException, ClassNotFoundException {
    FSTObjectInput input = configuration.getObjectInput(message, length);
    return input.readObject();
  }

  @Override
  Set<SerializationPayload> unsupported() {
    return EnumSet.of(SerializationPayload.RECORD, SerializationPayload.RECORDS_100);
  }
}
