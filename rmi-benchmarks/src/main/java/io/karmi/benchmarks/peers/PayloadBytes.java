package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.payloads.FourInts;
import io.karmi.benchmarks.payloads.ThirtyTwoInts;
import io.karmi.benchmarks.payloads.Tree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The paper's payloads as bytes, written by hand as a schema compiler would: a tag, then the
 * values.
 */
final class PayloadBytes {
  private static final byte NULL = 0;
  private static final byte BYTES = 1;
  private static final byte INTS = 2;
  private static final byte FLOATS = 3;
  private static final byte FOUR_INTS = 4;
  private static final byte THIRTY_TWO_INTS = 5;
  private static final byte TREE = 6;

  private PayloadBytes() {}

  /** A message of some bytes, and the object behind them. */
  static byte[] message(@Nullable Object object, byte... before) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(before.length + room(object)).put(before);
    write(out, object);
    return out.hasRemaining() ? Arrays.copyOf(out.array(), out.position()) : out.array();
  }

  /** Bytes that {@link #write} needs at most. */
  private static int room(@Nullable Object object) {
    if (object == null) {
      return 1;
    }
    if (object instanceof byte[] bytes) {
      return 5 + bytes.length;
    }
    if (object instanceof int[] ints) {
      return 5 + 4 * ints.length;
    }
    if (object instanceof float[] floats) {
      return 5 + 4 * floats.length;
    }
    if (object instanceof Tree tree) {
      return 17 + room(tree.left()) + room(tree.right());
    }
    return 1 + 4 * 32;
  }

  private static void write(ByteBuffer out, @Nullable Object object) throws IOException {
    if (object == null) {
      out.put(NULL);
    } else if (object instanceof byte[] bytes) {
      out.put(BYTES).putInt(bytes.length).put(bytes);
    } else if (object instanceof int[] ints) {
      out.put(INTS).putInt(ints.length).asIntBuffer().put(ints);
      out.position(out.position() + 4 * ints.length);
    } else if (object instanceof float[] floats) {
      out.put(FLOATS).putInt(floats.length).asFloatBuffer().put(floats);
      out.position(out.position() + 4 * floats.length);
    } else if (object instanceof FourInts four) {
      writeInts(out.put(FOUR_INTS), four.ints());
      write(out, four.first());
      write(out, four.second());
    } else if (object instanceof ThirtyTwoInts many) {
      writeInts(out.put(THIRTY_TWO_INTS), many.ints());
    } else if (object instanceof Tree tree) {
      writeInts(out.put(TREE), tree.ints());
      write(out, tree.left());
      write(out, tree.right());
    } else {
      throw new IOException("no bytes are known for a " + object.getClass().getName());
    }
  }

  static @Nullable Object read(ByteBuffer in) throws IOException {
    byte tag = in.get();
    switch (tag) {
      case NULL:
        return null;
      case BYTES:
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
      case INTS:
        return readInts(in, in.getInt());
      case FLOATS:
        float[] floats = new float[in.getInt()];
        in.asFloatBuffer().get(floats);
        in.position(in.position() + 4 * floats.length);
        return floats;
      case FOUR_INTS:
        return new FourInts(readInts(in, 4), (FourInts) read(in), (FourInts) read(in));
      case THIRTY_TWO_INTS:
        return new ThirtyTwoInts(readInts(in, 32));
      case TREE:
        return new Tree(readInts(in, 4), (Tree) read(in), (Tree) read(in));
      default:
        throw new IOException("no payload has the tag " + tag);
    }
  }

  private static void writeInts(ByteBuffer out, int[] ints) {
    for (int value : ints) {
      out.putInt(value);
    }
  }

  private static int[] readInts(ByteBuffer in, int count) {
    int[] ints = new int[count];
    in.asIntBuffer().get(ints);
    in.position(in.position() + 4 * count);
    return ints;
  }
}
