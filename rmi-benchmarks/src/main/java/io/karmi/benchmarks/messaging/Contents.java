package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.messaging.MessagesServer.Bytes;
import io.karmi.benchmarks.messaging.MessagesServer.FourInts;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The messages of bytes that a sender sends again and again: one of each length, made once, as the
 * buffers of a socket, Netty and Aeron are beside it. Thread-safe.
 */
final class Contents {
  /** By the power of two that their length is; two threads may make the same one. */
  private final @Nullable Bytes[] made = new @Nullable Bytes[Integer.SIZE];

  /** A message of this length, or the one of four numbers for none. */
  Serializable message(int bytes) {
    return bytes == 0 ? new FourInts(1, 2, 3, 4) : ofLength(bytes);
  }

  /** The message of this length, which is a power of two. */
  Bytes ofLength(int bytes) {
    int power = Integer.numberOfTrailingZeros(bytes);
    Bytes known = made[power];
    if (known == null) {
      known = new Bytes(new byte[1 << power]);
      made[power] = known;
    }
    return known;
  }
}
