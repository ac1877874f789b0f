package io.karmi.exchange.record;

import io.karmi.exchange.GroupAddress;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;

/**
 * The fixed part of a group file, little-endian; docs/exchange.md has the format.
 *
 * <pre>
 * "KXG1" | u16 version | u16 flags | u64 space | address: u32 member, u64 sequence, u32 generation |
 * u64 bytes of the body | u16 dependencies | u32 crc32c | body | 16 bytes for each dependency
 * </pre>
 *
 * <p>The check sum is that of all other bytes: the body, the dependencies, and then the header.
 *
 * @param flags {@link #STORED} or 0
 * @param length of the body, in bytes
 * @param dependencies how many
 * @param crc of the whole record
 */
public record GroupHeader(
    int flags, long space, GroupAddress address, long length, int dependencies, int crc) {
  public static final int BYTES = 46;
  public static final int ADDRESS_BYTES = 16;
  public static final int STORED = 1;

  /** The most groups that one may refer to. */
  public static final int MAXIMUM_DEPENDENCIES = 0xffff;

  private static final int MAGIC = 'K' | 'X' << 8 | 'G' << 16 | '1' << 24;
  private static final int VERSION = 1;
  private static final int CRC_AT = BYTES - 4;

  /** The same with the check sum over what was summed up so far, and this header. */
  public GroupHeader sealed(CRC32C soFar) {
    soFar.update(bytes(), 0, CRC_AT);
    return new GroupHeader(flags, space, address, length, dependencies, (int) soFar.getValue());
  }

  public byte[] bytes() {
    ByteBuffer to = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    to.putInt(MAGIC).putShort((short) VERSION).putShort((short) flags).putLong(space);
    put(to, address);
    return to.putLong(length).putShort((short) dependencies).putInt(crc).array();
  }

  public static void put(ByteBuffer to, GroupAddress address) {
    to.putInt(address.member()).putLong(address.sequence()).putInt(address.generation());
  }

  public static GroupAddress address(ByteBuffer from) {
    return new GroupAddress(from.getInt(), from.getLong(), from.getInt());
  }

  /** Length of the whole record. */
  public long recordBytes() {
    return BYTES + length + (long) dependencies * ADDRESS_BYTES;
  }

  /** Reads a header from where a channel is; see {@link #parse}. */
  public static GroupHeader read(ReadableByteChannel from) throws IOException {
    ByteBuffer to = ByteBuffer.allocate(BYTES);
    while (to.hasRemaining()) {
      if (from.read(to) < 0) {
        throw new EOFException("it ends in its header");
      }
    }
    return parse(to.array());
  }

  /**
   * Reads a header, all of which is a claim.
   *
   * @throws StreamCorruptedException if it is none of this version, or its length is negative
   */
  public static GroupHeader parse(byte[] bytes) throws StreamCorruptedException {
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int magic = from.getInt();
    int version = Short.toUnsignedInt(from.getShort());
    if (magic != MAGIC || version != VERSION) {
      throw new StreamCorruptedException(
          "no group of version " + VERSION + ": begins with " + Integer.toHexString(magic));
    }
    int flags = Short.toUnsignedInt(from.getShort());
    long space = from.getLong();
    GroupAddress address = address(from);
    long length = from.getLong();
    int dependencies = Short.toUnsignedInt(from.getShort());
    if (length <= 0 || length > Long.MAX_VALUE - (1 << 21) || (flags & ~STORED) != 0) {
      throw new StreamCorruptedException(
          "a group of " + length + " bytes and with flags " + Integer.toHexString(flags));
    }
    return new GroupHeader(flags, space, address, length, dependencies, from.getInt());
  }

  /**
   * Checks that this is the header of the group that was asked for.
   *
   * @throws StreamCorruptedException that names both sides' values
   */
  public GroupHeader checked(long inSpace, GroupAddress wanted) throws StreamCorruptedException {
    if (space != inSpace || !address.equals(wanted)) {
      throw new StreamCorruptedException(
          "the name says group "
              + wanted
              + " of space "
              + Long.toHexString(inSpace)
              + ", the header group "
              + address
              + " of space "
              + Long.toHexString(space));
    }
    return this;
  }

  /**
   * Compares the check sum.
   *
   * @param ofBody the sum of the body, which takes the rest in
   * @param named what lies behind the body
   * @return the groups that this one refers to
   * @throws StreamCorruptedException if the sum is another one
   */
  GroupAddress[] dependencies(CRC32C ofBody, byte... named) throws StreamCorruptedException {
    ofBody.update(named, 0, named.length);
    int found = sealed(ofBody).crc();
    if (found != crc) {
      throw new StreamCorruptedException(
          "it is damaged: its check sum is "
              + Integer.toHexString(found)
              + ", and it says "
              + Integer.toHexString(crc));
    }
    ByteBuffer from = ByteBuffer.wrap(named).order(ByteOrder.LITTLE_ENDIAN);
    GroupAddress[] refersTo = new GroupAddress[dependencies];
    for (int i = 0; i < refersTo.length; i++) {
      refersTo[i] = address(from);
    }
    return refersTo;
  }
}
