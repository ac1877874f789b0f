package io.karmi.id;

import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * An object as stock RMI's stubs name it: host, port, and the 22 bytes of a {@link
 * java.rmi.server.ObjID}. It is written as such a stub writes itself. Immutable.
 */
public final class JrmpName {
  private static final int ID_BYTES = 22;

  private final String host;
  private final int port;
  private final byte[] id;

  private JrmpName(String host, int port, byte[] id) {
    this.host = host;
    this.port = port;
    this.id = id;
  }

  /**
   * The name of an object of KaRMI's: its number and the first 112 bits of its node's id. So who
   * has a reference knows the name, and asks no peer.
   */
  public static JrmpName of(ObjectId object, String host, int port) {
    ByteArrayOutputStream id = new ByteArrayOutputStream(ID_BYTES + Short.BYTES);
    try {
      DataOutputStream out = new DataOutputStream(id);
      out.writeLong(object.number());
      (object.isWellKnown() ? NodeId.UNKNOWN : object.node()).write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot be full", e);
    }
    return new JrmpName(host, port, java.util.Arrays.copyOf(id.toByteArray(), ID_BYTES));
  }

  /** Reads what {@link #write} wrote. */
  public static JrmpName read(DataInput in) throws IOException {
    String host = in.readUTF();
    int port = in.readInt();
    byte[] id = new byte[ID_BYTES];
    in.readFully(id);
    in.readBoolean(); // whether it comes with a result
    return new JrmpName(host, port, id);
  }

  /** Writes host, port, id, and that this is no result of a call. */
  public void write(DataOutput out) throws IOException {
    out.writeUTF(host);
    out.writeInt(port);
    out.write(id);
    out.writeBoolean(false);
  }

  /** The host where the object is called. */
  public String host() {
    return host;
  }

  /** The port where the object is called. */
  public int port() {
    return port;
  }

  /** The bytes of the {@link java.rmi.server.ObjID}; a copy. */
  public byte[] id() {
    return id.clone();
  }

  /** Whether this is the registry of its port. */
  public boolean isRegistry() {
    for (byte each : id) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }
}
