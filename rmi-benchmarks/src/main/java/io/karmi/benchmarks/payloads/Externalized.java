package io.karmi.benchmarks.payloads;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.Objects;

/** An externalizable class. */
public final class Externalized implements Externalizable {
  private static final long serialVersionUID = 1;

  private int number;
  private String name;
  private long stamp;

  /** For reading. */
  public Externalized() {
    name = "";
  }

  public Externalized(int number, String name, long stamp) {
    this.number = number;
    this.name = name;
    this.stamp = stamp;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    out.writeInt(number);
    out.writeUTF(name);
    out.writeLong(stamp);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    number = in.readInt();
    name = in.readUTF();
    stamp = in.readLong();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Externalized that
        && number == that.number
        && stamp == that.stamp
        && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(number, name, stamp);
  }
}
