package io.karmi.connection.call;

import io.karmi.guard.Ledger;
import io.karmi.id.RemoteInterface;
import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remote interfaces that the peer has announced: the receiving half of {@link InterfaceNumbers}.
 */
final class InterfaceTable {
  private static final int MAXIMUM_INTERFACES = 1000;
  private static final int MAXIMUM_METHODS = 65_536;

  /**
   * Upper bound of the methods of all interfaces together; a sender stops at half of it: {@link
   * InterfaceNumbers}.
   */
  private static final int MAXIMUM_METHODS_IN_ALL = 2 * MAXIMUM_METHODS;

  /** What a method takes in memory: its hash, and its place in a list of names. */
  private static final int METHOD_BYTES = 16;

  /** Upper bound of the hashes for which room is made at first, since the count is only a claim. */
  private static final int FIRST_HASHES = 64;

  private final Ledger.Account tables;
  private final List<RemoteInterface> announced = new ArrayList<>(4);
  private @Nullable RemoteInterface last;
  private int lastNumber;
  private int methodsInAll;

  /**
   * @param tables counts its memory
   */
  InterfaceTable(Ledger.Account tables) {
    this.tables = tables;
  }

  /** Reads a number, and the description behind it if the number is new. */
  RemoteInterface read(InputBuffer in) throws IOException {
    int number = in.readVarInt();
    RemoteInterface known = last;
    if (known == null || number != lastNumber) {
      known = find(number, in);
      last = known;
      lastNumber = number;
    }
    return known;
  }

  private RemoteInterface find(int number, InputBuffer in) throws IOException {
    if (number >= 0 && number < announced.size()) {
      return announced.get(number);
    }
    if (number != announced.size() || number >= MAXIMUM_INTERFACES) {
      throw new StreamCorruptedException(
          "interface number " + number + "; " + announced.size() + " interfaces are announced");
    }
    RemoteInterface type = describe(in);
    announced.add(type);
    return type;
  }

  private RemoteInterface describe(InputBuffer in) throws IOException {
    int count = in.readVarInt();
    if (count < 0 || count > MAXIMUM_METHODS) {
      throw new StreamCorruptedException("an interface of " + count + " methods");
    }
    methodsInAll += count;
    if (methodsInAll > MAXIMUM_METHODS_IN_ALL) {
      throw new StreamCorruptedException(
          "interfaces of " + methodsInAll + " methods; at most " + MAXIMUM_METHODS_IN_ALL);
    }
    if (!tables.hold((long) count * METHOD_BYTES)) {
      throw new StreamCorruptedException(
          "an interface of " + count + " methods: of what peers have described " + tables);
    }
    long[] hashes = new long[Math.min(count, FIRST_HASHES)];
    for (int i = 0; i < count; i++) {
      if (i == hashes.length) {
        hashes = Arrays.copyOf(hashes, Math.min(count, 2 * i));
      }
      hashes[i] = in.readLong();
    }
    String[] names = new String[count];
    Arrays.fill(names, "");
    return new RemoteInterface(new String[0], names, hashes);
  }
}
