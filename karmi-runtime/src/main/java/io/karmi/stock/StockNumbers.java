package io.karmi.stock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.rmi.server.ObjID;

/**
 * An {@link ObjID} as the four numbers that it consists of, in the order in which {@link
 * ObjID#write} writes them. Immutable.
 */
final class StockNumbers {
  /** Bytes of the four numbers. */
  private static final int LENGTH = 22;

  /** Bytes in front of them: the header of a stream, token and length of a block. */
  private static final int BEFORE = 6;

  final long number;
  final int unique;
  final long time;
  final short count;

  StockNumbers(long number, int unique, long time, short count) {
    this.number = number;
    this.unique = unique;
    this.time = time;
    this.count = count;
  }

  static StockNumbers of(ObjID id) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ObjectOutputStream out = new ObjectOutputStream(bytes);
      id.write(out);
      out.flush();
      DataInputStream in =
          new DataInputStream(new ByteArrayInputStream(bytes.toByteArray(), BEFORE, LENGTH));
      return new StockNumbers(in.readLong(), in.readInt(), in.readLong(), in.readShort());
    } catch (IOException e) {
      throw new UncheckedIOException("an ObjID does not consist of four numbers", e);
    }
  }

  ObjID toObjId() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeLong(number);
      out.writeInt(unique);
      out.writeLong(time);
      out.writeShort(count);
      return toObjId(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot be full", e);
    }
  }

  /** The ObjID of the four numbers in their order. */
  static ObjID toObjId(byte[] numbers) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
      out.writeShort(ObjectStreamConstants.STREAM_VERSION);
      out.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
      out.writeByte(LENGTH);
      out.write(numbers);
      return ObjID.read(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    } catch (IOException e) {
      throw new UncheckedIOException("an ObjID does not consist of four numbers", e);
    }
  }
}
