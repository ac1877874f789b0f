package io.karmi.exchange;

import io.karmi.exchange.directory.Report;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Object stream that writes addresses of groups in place of objects (ZCOT, 3.3): each object that
 * is written is put into the space as a group, and the stream has 24 bytes for it. An {@link
 * ExchangeObjectInputStream} reads the objects back, in this JVM or in any other of the space.
 *
 * <p>Primitives, {@code null} and what {@code writeObject} methods write are in the stream itself
 * or in the group, as they would be in the JDK's. Objects that are written twice are two groups.
 * Not thread-safe.
 */
public class ExchangeObjectOutputStream extends ObjectOutputStream {
  static final byte NOTHING = 0;
  static final byte GROUP = 1;
  static final byte COUNTED_GROUP = 2;

  private final ObjectOutputStream out;
  private final JoinedSpace space;
  private final int reads;

  /**
   * A stream whose groups live for one read, or are stored.
   *
   * @param space as it was joined
   */
  public ExchangeObjectOutputStream(OutputStream out, ExchangeSpace space, Lifetime lifetime)
      throws IOException {
    this(out, space, lifetime == Lifetime.STORED ? Report.STORED : 1);
  }

  /**
   * A stream whose groups each live for a number of reads.
   *
   * @param reads at least 1
   */
  public ExchangeObjectOutputStream(OutputStream out, ExchangeSpace space, int reads)
      throws IOException {
    super();
    if (reads < 1) {
      throw new IllegalArgumentException(reads + " reads: a group is read once or more often");
    }
    this.out = new ObjectOutputStream(out);
    this.space = Spaces.joined(space);
    this.reads = reads;
  }

  @Override
  protected void writeObjectOverride(@Nullable Object object) throws IOException {
    if (object == null) {
      out.writeByte(NOTHING);
      return;
    }
    try (Group<?> group = space.put(object, reads)) {
      GroupAddress address = group.address();
      out.writeByte(reads == Report.STORED ? GROUP : COUNTED_GROUP);
      out.writeLong(space.id());
      out.writeInt(address.member());
      out.writeLong(address.sequence());
      out.writeInt(address.generation());
    }
  }

  @Override
  public void writeUnshared(@Nullable Object object) throws IOException {
    writeObjectOverride(object);
  }

  /** Objects of the stream are groups by themselves: there is nothing to forget. */
  @Override
  public void reset() {
    // nothing is kept from one object to the next
  }

  @Override
  public void write(int value) throws IOException {
    out.write(value);
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    out.write(bytes);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public void writeBoolean(boolean value) throws IOException {
    out.writeBoolean(value);
  }

  @Override
  public void writeByte(int value) throws IOException {
    out.writeByte(value);
  }

  @Override
  public void writeShort(int value) throws IOException {
    out.writeShort(value);
  }

  @Override
  public void writeChar(int value) throws IOException {
    out.writeChar(value);
  }

  @Override
  public void writeInt(int value) throws IOException {
    out.writeInt(value);
  }

  @Override
  public void writeLong(long value) throws IOException {
    out.writeLong(value);
  }

  @Override
  public void writeFloat(float value) throws IOException {
    out.writeFloat(value);
  }

  @Override
  public void writeDouble(double value) throws IOException {
    out.writeDouble(value);
  }

  @Override
  public void writeBytes(String text) throws IOException {
    out.writeBytes(text);
  }

  @Override
  public void writeChars(String text) throws IOException {
    out.writeChars(text);
  }

  @Override
  public void writeUTF(String text) throws IOException {
    out.writeUTF(text);
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
