package io.karmi.benchmarks.serialization;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * UKA on a connection: one stream each way, objects forgotten between messages, types kept (paper
 * 3.3); with the payloads' classes as they are, or woven.
 */
final class UkaCodec extends Codec {
  private final OutputBuffer output = new OutputBuffer(1 << 18);
  private final InputBuffer input = new InputBuffer(new byte[0], 0, 0);
  private final UkaObjectOutputStream writer = new UkaObjectOutputStream(output);
  private final UkaObjectInputStream reader;
  private final @Nullable WeavingLoader weaving;

  private UkaCodec(@Nullable WeavingLoader weaving) throws IOException {
    this.weaving = weaving;
    reader = weaving == null ? new UkaObjectInputStream(input) : new Reader(input, weaving);
  }

  static UkaCodec asItComes() throws IOException {
    return new UkaCodec(null);
  }

  static UkaCodec woven() throws IOException {
    return new UkaCodec(new WeavingLoader());
  }

  @Override
  Specimen specimen(SerializationPayload payload) {
    return weaving == null ? payload : weaving.specimen(payload);
  }

  @Override
  int serialize(Object object) throws IOException {
    output.position = 0;
    writer.resetObjects();
    writer.writeObject(object);
    return output.position;
  }

  @Override
  byte[] bytes() {
    return output.bytes;
  }

  @Override
  Object deserialize(byte[] message, int length) throws IOException, ClassNotFoundException {
    input.bytes = message;
    input.position = 0;
    input.limit = length;
    reader.resetObjects();
    return reader.readObject();
  }

  /** Finds the woven classes; each is looked for once. */
  private static final class Reader extends UkaObjectInputStream {
    private final ClassLoader loader;

    Reader(InputBuffer input, ClassLoader loader) throws IOException {
      super(input);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass descriptor)
        throws IOException, ClassNotFoundException {
      return Class.forName(descriptor.getName(), false, loader);
    }
  }
}
