package io.karmi.benchmarks.serialization;

import java.io.IOException;
import java.io.ObjectInputStream;

/** Does nothing but read. Public, as copies of it are made by a class of another loader. */
public final class PlainReceiver implements Receiver {
  @Override
  public Object receive(ObjectInputStream in) throws IOException, ClassNotFoundException {
    return in.readObject();
  }
}
