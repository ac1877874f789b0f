package io.karmi.benchmarks.payloads;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Objects;

/** A class with a serial form of its own: default fields, then data that only its hooks know. */
public final class Hooked implements Serializable {
  private static final long serialVersionUID = 1;

  private final int number;
  private final String name;
  private transient long stamp;

  public Hooked(int number, String name, long stamp) {
    this.number = number;
    this.name = name;
    this.stamp = stamp;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeLong(stamp);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    stamp = in.readLong();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Hooked that
        && number == that.number
        && stamp == that.stamp
        && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(number, name, stamp);
  }
}
