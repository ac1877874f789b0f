package io.karmi.contract.hostile;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The node that an attack is directed at, and what the attacker leaves open there. Belongs to one
 * thread.
 */
public final class Target implements Closeable {
  /** {@code int add(int, int)} of the object that everybody may call. */
  static final long ADD = Methods.hash("add(II)I");

  /** {@code Object echo(Object)}. */
  static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");

  /** {@code String text(String)}. */
  static final long TEXT = Methods.hash("text(Ljava/lang/String;)Ljava/lang/String;");

  /** {@code byte[] bytes(int)}: as many bytes as are asked for. */
  static final long BYTES = Methods.hash("bytes(I)[B");

  private final Door door;
  private final long object;
  private final Random random;
  private final List<RawPeer> kept = new ArrayList<>();

  Target(Door door, long object, Random random) {
    this.door = door;
    this.object = object;
    this.random = random;
  }

  /** The number of the object that everybody may call. */
  long object() {
    return object;
  }

  /** Decides how an attack varies. */
  Random random() {
    return random;
  }

  /** A number from one to another, both included. */
  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /** Random bytes. */
  byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A connection over which nothing has been said; it stays open until the attack is judged. */
  RawPeer silent() throws IOException {
    RawPeer peer = RawPeer.silent(door);
    kept.add(peer);
    return peer;
  }

  /** A connection of an unknown node; it stays open until the attack is judged. */
  RawPeer introduced() throws IOException {
    RawPeer peer = RawPeer.introduced(door, random.nextLong(), random.nextLong());
    kept.add(peer);
    return peer;
  }

  /** A connection for messages, before its key; it stays open until the attack is judged. */
  RawPeer withoutKey() throws IOException {
    RawPeer peer = RawPeer.withoutKey(door, random.nextLong(), random.nextLong());
    kept.add(peer);
    return peer;
  }

  /** What an honest client does that has never been here: introduces itself, calls, leaves. */
  int serve() throws IOException {
    try (RawPeer honest = RawPeer.introduced(door, random.nextLong(), random.nextLong())) {
      byte[] reply = honest.call(object, ADD, new WireBytes().int32(20).int32(22).toArray());
      if (reply.length != 1 + Integer.BYTES || reply[0] != RawPeer.RETURNED) {
        throw new IOException("an honest call is answered by " + reply.length + " bytes");
      }
      return reply[1];
    }
  }

  @Override
  public void close() {
    for (RawPeer each : kept) {
      try {
        each.close();
      } catch (IOException e) {
        continue; // the node has closed it
      }
    }
    kept.clear();
  }
}
