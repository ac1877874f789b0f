package io.karmi.benchmarks.startup.program;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** A class that makes streams: it is rewired. */
public class Copies0000 {
  private int copied;

  /** Copies what is serializable. */
  public Object copy(Object object) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      copied++;
      return in.readObject();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Copies0000 && ((Copies0000) other).copied == copied;
  }

  @Override
  public int hashCode() {
    return 31 + copied;
  }
}
