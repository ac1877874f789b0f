package io.karmi.benchmarks.startup.program;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** A serializable class that mentions the streams and makes none. */
public class Hooked0000 implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name = "hooked";
  private transient int cached;

  /** As loaders of the sample program make it. */
  public Hooked0000() {
    cached = name.length();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeInt(cached);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    cached = in.readInt();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hooked0000 && ((Hooked0000) other).cached == cached;
  }

  @Override
  public int hashCode() {
    return name.hashCode() + cached;
  }
}
