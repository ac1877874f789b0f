package io.karmi.connection;

import io.karmi.id.RemoteInterface;
import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The remote interfaces that the peer has announced: the receiving half of {@link
 * InterfaceNumbers}.
 */
final class InterfaceTable {
  private static final int MAXIMUM_INTERFACES = 1000;
  private static final int MAXIMUM_METHODS = 65_536;

  private final List<RemoteInterface> announced = new ArrayList<>(4);
  private @Nullable RemoteInterface last;
  private int lastNumber;

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

  private static RemoteInterface describe(InputBuffer in) throws IOException {
    int count = in.readVarInt();
    if (count < 0 || count > MAXIMUM_METHODS) {
      throw new StreamCorruptedException("an interface of " + count + " methods");
    }
    List<Long> hashes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      hashes.add(in.readLong());
    }
    long[] all = new long[count];
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      all[i] = hashes.get(i);
      names[i] = "";
    }
    return new RemoteInterface(new String[0], names, all);
  }
}
