package io.karmi.connection.channel;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * Source of the tokens that a node shows when it opens connections, one for each address.
 *
 * <p>A token is SipHash-2-4 of the address under a key that is drawn once: nothing need be kept for
 * an address, the token of one address does not reveal that of another, and no cryptography
 * provider has to be loaded. Thread-safe.
 */
final class TokenSource {
  private static final int LAST_BYTE_SHIFT = 56;

  private final long key0;
  private final long key1;

  /** Draws a key. */
  TokenSource() {
    SecureRandom random = new SecureRandom();
    key0 = random.nextLong();
    key1 = random.nextLong();
  }

  TokenSource(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  long tokenFor(String address) {
    return hash(address.getBytes(StandardCharsets.UTF_8));
  }

  /** SipHash-2-4, as Aumasson and Bernstein describe it. */
  long hash(byte[] message) {
    State state = new State(key0, key1);
    int whole = message.length / Long.BYTES * Long.BYTES;
    for (int at = 0; at < whole; at += Long.BYTES) {
      state.absorb(little(message, at, Long.BYTES));
    }
    long last = (long) message.length << LAST_BYTE_SHIFT;
    state.absorb(last | little(message, whole, message.length - whole));
    return state.squeeze();
  }

  private static long little(byte[] bytes, int at, int count) {
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << Byte.SIZE | bytes[at + i] & 0xFF;
    }
    return value;
  }

  private static final class State {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(long key0, long key1) {
      v0 = key0 ^ 0x736f6d6570736575L;
      v1 = key1 ^ 0x646f72616e646f6dL;
      v2 = key0 ^ 0x6c7967656e657261L;
      v3 = key1 ^ 0x7465646279746573L;
    }

    void absorb(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    long squeeze() {
      v2 ^= 0xFF;
      for (int i = 0; i < 4; i++) {
        round();
      }
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
