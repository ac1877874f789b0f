package io.karmi.hostile;

import io.karmi.contract.hostile.WireBytes;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * A reference in a reply, whose owner has sent it.
 *
 * @param number the number of the object
 * @param credit the account on which the owner has counted it; 0 for none
 */
record SentReference(long number, long credit) {
  /** The first one to an object of that node. */
  static SentReference in(byte[] reply, long[] node) throws IOException {
    byte[] name = new WireBytes().bigInt64(node[0]).bigInt64(node[1]).toArray();
    int at = 0;
    while (!Arrays.equals(reply, at, at + name.length, name, 0, name.length)) {
      at++;
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(reply));
    in.skipNBytes(at + name.length);
    long number = in.readLong();
    for (int ways = in.readUnsignedByte(); ways > 0; ways--) {
      in.readUTF();
      in.readUTF();
    }
    return new SentReference(number, in.readBoolean() ? in.readLong() : 0);
  }
}
