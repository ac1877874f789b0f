package io.karmi.bridge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.util.HexFormat;

/** Stubs as text, which get to a node that no registry can tell of them. */
final class StoredStubs {
  private StoredStubs() {}

  static String toText(Remote stub) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(stub);
    }
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  static Remote fromText(String text) throws IOException, ClassNotFoundException {
    byte[] bytes = HexFormat.of().parseHex(text);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (Remote) in.readObject();
    }
  }
}
