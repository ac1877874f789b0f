package io.karmi.benchmarks.serialization;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;

/**
 * The JDK's streams: fresh for every message, plain or with the overrides that RMI's streams have.
 */
final class JdkCodec extends Codec {
  private final boolean asRmi;
  private final ReusableOutput output = new ReusableOutput();

  JdkCodec(boolean asRmi) {
    this.asRmi = asRmi;
  }

  @Override
  int serialize(Object object) throws IOException {
    output.reset();
    ObjectOutputStream stream = asRmi ? new RmiOutput(output) : new ObjectOutputStream(output);
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
    InputStream input = new ByteArrayInputStream(message, 0, length);
    ObjectInputStream stream = asRmi ? new RmiInput(input) : new ObjectInputStream(input);
    return stream.readObject();
  }

  /** Annotates classes and offers objects for replacement, as RMI does on every call. */
  private static final class RmiOutput extends ObjectOutputStream {
    RmiOutput(OutputStream output) throws IOException {
      super(output);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      return object;
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(null);
    }
  }

  private static final class RmiInput extends ObjectInputStream {
    RmiInput(InputStream input) throws IOException {
      super(input);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      readObject();
      return super.resolveClass(description);
    }
  }
}
