package io.karmi.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Reads what an {@link ExchangeObjectOutputStream} has written: for each address the objects of the
 * group, made for this reader alone. An object is one of the counted reads of its group.
 *
 * <p>The JVM has joined the space before. Not thread-safe.
 */
public class ExchangeObjectInputStream extends ObjectInputStream {
  private final ObjectInputStream in;
  private final ExchangeSpace space;

  /**
   * A stream of addresses.
   *
   * @param space as it was joined
   */
  public ExchangeObjectInputStream(InputStream in, ExchangeSpace space) throws IOException {
    super();
    this.in = new ObjectInputStream(in);
    this.space = Spaces.joined(space);
  }

  /**
   * Reads an object.
   *
   * @throws GroupLostException if it has been read as often as was said, or its owner has ended
   */
  @Override
  protected @Nullable Object readObjectOverride() throws IOException, ClassNotFoundException {
    byte kind = in.readByte();
    if (kind == ExchangeObjectOutputStream.NOTHING) {
      return null;
    }
    if (kind != ExchangeObjectOutputStream.GROUP
        && kind != ExchangeObjectOutputStream.COUNTED_GROUP) {
      throw new StreamCorruptedException("no address of a group comes, but " + kind);
    }
    JoinedSpace joined = Spaces.joined(space);
    long named = in.readLong();
    GroupAddress address = new GroupAddress(in.readInt(), in.readLong(), in.readInt());
    if (named != joined.id()) {
      throw new StreamCorruptedException(
          "group " + address + " is of another space: " + Long.toHexString(named));
    }
    try (Group<?> group = space.get(address)) {
      Object root = group.copy();
      if (kind == ExchangeObjectOutputStream.COUNTED_GROUP) {
        joined.isRead(address);
      }
      return root;
    }
  }

  @Override
  public @Nullable Object readUnshared() throws IOException, ClassNotFoundException {
    return readObjectOverride();
  }

  @Override
  public int read() throws IOException {
    return in.read();
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    return in.read(bytes, offset, length);
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }

  @Override
  public boolean readBoolean() throws IOException {
    return in.readBoolean();
  }

  @Override
  public byte readByte() throws IOException {
    return in.readByte();
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return in.readUnsignedByte();
  }

  @Override
  public char readChar() throws IOException {
    return in.readChar();
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
  public int readInt() throws IOException {
    return in.readInt();
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
  public void readFully(byte[] bytes) throws IOException {
    in.readFully(bytes);
  }

  @Override
  public void readFully(byte[] bytes, int offset, int length) throws IOException {
    in.readFully(bytes, offset, length);
  }

  @Override
  public int skipBytes(int length) throws IOException {
    return in.skipBytes(length);
  }

  @Override
  @SuppressWarnings("deprecation") // it is in the interface
  public @Nullable String readLine() throws IOException {
    return in.readLine();
  }

  @Override
  public String readUTF() throws IOException {
    return in.readUTF();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
