package io.karmi.connection.call;

import io.karmi.id.RemoteInterface;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of the remote interfaces that were announced in one direction of a connection. As with
 * type numbers, each interface is described once. Not thread-safe.
 */
final class InterfaceNumbers {
  /**
   * The number of interfaces after which a connection is given up, so that neither end's table
   * grows for ever.
   */
  private static final int FULL = 1000;

  /** The same for the number of all their methods together; the other end's table takes more. */
  private static final int FULL_METHODS = 65_536;

  private final Map<RemoteInterface, Integer> numbers = new IdentityHashMap<>();
  private @Nullable RemoteInterface last;
  private int lastNumber;
  private @Nullable RemoteInterface announced;
  private boolean full;
  private int methods;

  /** Writes the number of an interface, and its description if the peer does not have it. */
  void write(RemoteInterface type, OutputBuffer out) throws IOException {
    announced = null;
    if (type == last) {
      out.writeVarInt(lastNumber);
      return;
    }
    Integer known = numbers.get(type);
    int number = known != null ? known : numbers.size();
    out.writeVarInt(number);
    if (known == null) {
      numbers.put(type, number);
      methods += type.methodCount();
      full = numbers.size() >= FULL || methods >= FULL_METHODS;
      announced = type;
      describe(type, out);
    }
    last = type;
    lastNumber = number;
  }

  private static void describe(RemoteInterface type, OutputBuffer out) throws IOException {
    out.writeVarInt(type.methodCount());
    for (int i = 0; i < type.methodCount(); i++) {
      out.writeLong(type.methodHash(i));
    }
  }

  /** Takes back what the last message announced, because it was not sent. */
  void discard() {
    if (announced != null) {
      numbers.remove(announced);
      methods -= announced.methodCount();
      full = false;
      announced = null;
      last = null;
    }
  }

  boolean isFull() {
    return full;
  }
}
