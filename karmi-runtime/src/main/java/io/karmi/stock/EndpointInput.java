package io.karmi.stock;

import java.io.DataInput;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;

/**
 * Input of an endpoint that asks {@link StockEndpoints}: a host and a port; or a byte, these, and a
 * factory of sockets if the byte is not 0.
 */
class EndpointInput implements DataInput {
  /** What follows an endpoint: the id of an object, 22 bytes, and a boolean. */
  private static final int REST = 23;

  private final DataInput in;
  private String host = "";
  private int port;
  private boolean ownSockets;

  EndpointInput(DataInput in) {
    this.in = in;
  }

  @Override
  public String readUTF() throws IOException {
    host = in.readUTF();
    return host;
  }

  @Override
  public int readInt() throws IOException {
    port = in.readInt();
    if (!ownSockets) {
      admit();
    }
    return port;
  }

  /** Leaves nothing of a refused reference, which would hide the exception behind another one. */
  final void admit() throws IOException {
    try {
      StockEndpoints.admit(in, host + ":" + port + (ownSockets ? StockEndpoints.OWN_SOCKETS : ""));
    } catch (InvalidObjectException e) {
      in.readFully(new byte[REST]);
      throw e;
    }
  }

  @Override
  public byte readByte() throws IOException {
    byte format = in.readByte();
    ownSockets = format != 0;
    return format;
  }

  @Override
  public void readFully(byte[] into) throws IOException {
    in.readFully(into);
  }

  @Override
  public void readFully(byte[] into, int offset, int length) throws IOException {
    in.readFully(into, offset, length);
  }

  @Override
  public int skipBytes(int count) throws IOException {
    return in.skipBytes(count);
  }

  @Override
  public boolean readBoolean() throws IOException {
    return in.readBoolean();
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return in.readUnsignedByte();
  }

  @Override
  public short readShort() throws IOException {
    return in.readShort();
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return in.readUnsignedShort();
  }

  @Override
  public char readChar() throws IOException {
    return in.readChar();
  }

  @Override
  public long readLong() throws IOException {
    return in.readLong();
  }

  @Override
  public float readFloat() throws IOException {
    return in.readFloat();
  }

  @Override
  public double readDouble() throws IOException {
    return in.readDouble();
  }

  @Override
  public String readLine() throws IOException {
    return in.readLine();
  }

  /** The same where the factory of the sockets may follow. */
  static final class WithObjects extends EndpointInput implements ObjectInput {
    private final ObjectInput in;

    WithObjects(ObjectInput in) {
      super(in);
      this.in = in;
    }

    @Override
    public Object readObject() throws ClassNotFoundException, IOException {
      Object factory = in.readObject();
      admit();
      return factory;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] into) throws IOException {
      return in.read(into);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return in.read(into, offset, length);
    }

    @Override
    public long skip(long count) throws IOException {
      return in.skip(count);
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
