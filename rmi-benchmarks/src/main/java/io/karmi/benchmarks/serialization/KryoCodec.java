package io.karmi.benchmarks.serialization;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import com.esotericsoftware.kryo.kryo5.objenesis.strategy.StdInstantiatorStrategy;
import com.esotericsoftware.kryo.kryo5.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.kryo5.serializers.ExternalizableSerializer;
import com.esotericsoftware.kryo.kryo5.serializers.JavaSerializer;
import com.esotericsoftware.kryo.kryo5.util.DefaultInstantiatorStrategy;
import io.karmi.benchmarks.payloads.Hooked;
import java.io.Externalizable;
import java.util.UUID;

/** Kryo 5, no class registered, references tracked: what serves any object graph. */
final class KryoCodec extends Codec {
  private final Kryo kryo = new Kryo();
  private final Output output = new Output(1 << 18, -1);
  private final Input input = new Input();

  KryoCodec() {
    kryo.setRegistrationRequired(false);
    kryo.setReferences(true);
    kryo.setInstantiatorStrategy(new DefaultInstantiatorStrategy(new StdInstantiatorStrategy()));
    kryo.addDefaultSerializer(Externalizable.class, ExternalizableSerializer.class);
    kryo.addDefaultSerializer(Hooked.class, JavaSerializer.class);
    kryo.addDefaultSerializer(UUID.class, DefaultSerializers.UUIDSerializer.class);
  }

  @Override
  public int serialize(Object object) {
    output.reset();
    kryo.writeClassAndObject(output, object);
    return output.position();
  }

  @Override
  public byte[] bytes() {
    return output.getBuffer();
  }

  @Override
  public Object deserialize(byte[] message, int length) {
    input.setBuffer(message, 0, length);
    return kryo.readClassAndObject(input);
  }
}
