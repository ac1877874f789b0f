package io.karmi.benchmarks.serialization;

import io.protostuff.GraphIOUtil;
import io.protostuff.LinkedBuffer;
import io.protostuff.Schema;
import io.protostuff.runtime.RuntimeSchema;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * protostuff-runtime with references tracked; a message is a holder, for it knows no message
 * without a class.
 */
final class ProtostuffCodec extends Codec {
  private static final Schema<Holder> SCHEMA = RuntimeSchema.getSchema(Holder.class);

  private final LinkedBuffer buffer = LinkedBuffer.allocate(1 << 12);
  private final StreamCodec.ReusableOutput output = new StreamCodec.ReusableOutput();
  private final Holder holder = new Holder();

  @Override
  public int serialize(Object object) throws IOException {
    output.reset();
    holder.value = object;
    try {
      return GraphIOUtil.writeTo(output, holder, SCHEMA, buffer);
    } finally {
      buffer.clear();
    }
  }

  @Override
  public byte[] bytes() {
    return output.array();
  }

  @Override
  public Object deserialize(byte[] message, int length) {
    Holder received = SCHEMA.newMessage();
    GraphIOUtil.mergeFrom(message, 0, length, received, SCHEMA);
    return received.value == null ? "nothing" : received.value;
  }

  @Override
  Set<SerializationPayload> unsupported() {
    return EnumSet.of(
        SerializationPayload.RECORD,
        SerializationPayload.RECORDS_100,
        SerializationPayload.HOOKED,
        SerializationPayload.MEDIA,
        SerializationPayload.IMMUTABLE_LIST); // it fills a collection by adding to it
  }

  static final class Holder {
    @Nullable Object value;
  }
}
