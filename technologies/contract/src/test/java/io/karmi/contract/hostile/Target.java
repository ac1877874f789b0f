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
  private final List<Closeable> kept = new ArrayList<>();

  Target(Door door, long object, Random random) {
    this.door = door;
    this.object = object;
    this.random = random;
  }

  /** The number of the object that everybody may call. */
  public long object() {
    return object;
  }

  /** Decides how an attack varies. */
  public Random random() {
    return random;
  }

  /** A number from one to another, both included. */
  public int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  /** Random bytes. */
  public byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /**
   * A connection over which nothing has been said, or not even what would secure it; it stays open
   * until the attack is judged.
   */
  RawPeer silent() throws IOException {
    return kept(random.nextBoolean() ? RawPeer.silent(door) : RawPeer.below(door));
  }

  /**
   * A connection of an unknown node, which has features or says so; it stays open until the attack
   * is judged.
   */
  RawPeer introduced() throws IOException {
    return introducedFor("uka");
  }

  /** The same for the JDK's own format of streams. */
  RawPeer introducedForJdk() throws IOException {
    return introducedFor("jdk");
  }

  /** The same of the node with that id. */
  RawPeer introduced(long[] node) throws IOException {
    return kept(RawPeer.introduced(door, node[0], node[1]));
  }

  private RawPeer introducedFor(String format) throws IOException {
    int features = random.nextBoolean() ? random.nextInt(4) : random.nextInt();
    int[] keepAlives = {0, 1, 1000, 30_000, -1, Integer.MAX_VALUE, random.nextInt()};
    int keepAliveMillis = keepAlives[random.nextInt(keepAlives.length)];
    return kept(
        RawPeer.introduced(
            door, random.nextLong(), random.nextLong(), features, keepAliveMillis, format));
  }

  private RawPeer kept(RawPeer peer) {
    kept.add(peer);
    return peer;
  }

  /** Closes that with what else is left open, when the attack is judged. */
  public void keep(Closeable more) {
    kept.add(more);
  }

  /** A connection whose introduction the node answers; it stays open until the attack is judged. */
  RawPeer answered() throws IOException {
    RawPeer peer = kept(RawPeer.silent(door));
    peer.send(RawPeer.hello(random.nextLong(), random.nextLong(), "uka"));
    peer.take(1);
    return peer;
  }

  /** A connection for messages, before its key; it stays open until the attack is judged. */
  RawPeer withoutKey() throws IOException {
    return kept(RawPeer.withoutKey(door, random.nextLong(), random.nextLong()));
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
    for (Closeable each : kept) {
      try {
        each.close();
      } catch (IOException e) {
        continue; // the node has closed it
      }
    }
    kept.clear();
  }
}
