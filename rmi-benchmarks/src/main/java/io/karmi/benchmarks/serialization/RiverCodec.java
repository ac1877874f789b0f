package io.karmi.benchmarks.serialization;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.jboss.marshalling.Unmarshaller;

/** JBoss Marshalling's River protocol: faithful to java.io. */
final class RiverCodec extends Codec {
  private final Marshaller marshaller;
  private final Unmarshaller unmarshaller;
  private final StreamCodec.ReusableOutput output = new StreamCodec.ReusableOutput();

  RiverCodec() throws IOException {
    MarshallerFactory factory = Marshalling.getProvidedMarshallerFactory("river");
    MarshallingConfiguration configuration = new MarshallingConfiguration();
    marshaller = factory.createMarshaller(configuration);
    unmarshaller = factory.createUnmarshaller(configuration);
  }

  @Override
  public int serialize(Object object) throws IOException {
    output.reset();
    marshaller.start(Marshalling.createByteOutput(output));
    marshaller.writeObject(object);
    marshaller.finish();
    return output.size();
  }

  @Override
  public byte[] bytes() {
    return output.array();
  }

  @Override
  public Object deserialize(byte[] message, int length) throws IOException, ClassNotFoundException {
    unmarshaller.start(Marshalling.createByteInput(new ByteArrayInputStream(message, 0, length)));
    Object object = unmarshaller.readObject();
    unmarshaller.finish();
    return object;
  }
}
