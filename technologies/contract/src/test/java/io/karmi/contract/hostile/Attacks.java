package io.karmi.contract.hostile;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All attacks of the kit, each a finding of a review or a class of nonsense. */
public final class Attacks {
  private static final int HEADER = 0x40;
  private static final int RENEW = 0x20;
  private static final int MESSAGE = 0;
  private static final int MESSAGE_GOES_ON = 0x80;
  private static final int MESSAGE_HEADER_BYTES = 8;
  private static final int PART_BYTES = 1 << 16;
  private static final int ANSWER = 2;
  private static final int FAILURE = 3;
  private static final int CREDIT = 4;
  private static final int KIND_BITS = 0x3F;

  private Attacks() {}

  /** All there are. */
  public static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    addNonsense(all);
    addFrames(all);
    addPatience(all);
    addMessages(all);
    all.addAll(ObjectAttacks.all());
    all.addAll(JdkAttacks.all());
    all.addAll(HoldingAttacks.all());
    all.addAll(ReadingAttacks.all());
    return all;
  }

  private static void addMessages(List<Attack> all) {
    all.add(
        new Attack(
            "connections for messages that show no key",
            target -> {
              for (int i = target.between(1, 60); i > 0; i--) {
                target.withoutKey().send(target.bytes(target.between(0, Long.BYTES - 1)));
              }
            }));
    all.add(
        new Attack(
            "messages with a key that is none",
            target -> {
              RawPeer peer = target.withoutKey();
              peer.send(target.bytes(Long.BYTES + target.between(0, 5000)));
            }));
    all.add(
        new Attack(
            "frames of messages that are nonsense",
            target -> {
              RawPeer peer = keyed(target);
              for (int i = target.between(1, 200); i > 0; i--) {
                int body = target.between(0, 100);
                int padded = (body + 7) / 8 * 8;
                peer.send(
                    new WireBytes()
                        .int32(body)
                        .u8(target.between(0, 15), target.between(0, 255), 0, 0)
                        .raw(target.bytes(padded))
                        .toArray());
              }
            }));
    all.add(
        new Attack(
            "renewals and farewells of messages without end",
            target -> {
              RawPeer peer = keyed(target);
              int kind = target.random().nextBoolean() ? 5 : 6;
              byte[] frame = new WireBytes().int32(0).u8(0, kind, 0, 0).toArray();
              WireBytes many = new WireBytes();
              for (int i = 0; i < 10_000; i++) {
                many.raw(frame);
              }
              peer.send(many.toArray());
            }));
    all.add(
        new Attack(
            "long messages of several peers that do not end",
            target -> {
              for (int i = 0; i < 8; i++) {
                sendUnendedMessage(keyed(target), 20 << 20);
              }
            }));
    all.add(
        new Attack(
            "a message of many small objects",
            target -> {
              sendMessageOfSets(keyed(target), 1_000_000);
            }));
    all.add(
        new Attack(
            "many connections for messages of one that may send",
            target -> {
              for (int i = target.between(50, 150); i > 0; i--) {
                keyed(target);
              }
            }));
  }

  /** Sends the first bytes of a message as fast as they are taken, and not its end. */
  public static void sendUnendedMessage(RawPeer keyed, int bytes) throws IOException {
    sendParts(keyed, new byte[bytes], MESSAGE_GOES_ON);
  }

  /** An array of small sets, all of which come. */
  public static WireBytes sets(int count) {
    return Forged.smallSets(count, count);
  }

  /** Sends a message that is an array of small sets. */
  public static void sendMessageOfSets(RawPeer keyed, int sets) throws IOException {
    sendParts(keyed, sets(sets).toArray(), MESSAGE);
  }

  /** Sends a message in parts (4), no more than are granted. */
  private static void sendParts(RawPeer keyed, byte[] message, int kindOfLast) throws IOException {
    long sent = 0;
    long processed = 0;
    for (int from = 0; from < message.length; from += PART_BYTES) {
      int to = Math.min(message.length, from + PART_BYTES);
      byte[] padded = Arrays.copyOfRange(message, from, from + (to - from + 7) / 8 * 8);
      int kind = to < message.length ? MESSAGE_GOES_ON : kindOfLast;
      keyed.send(new WireBytes().int32(to - from).u8(0, kind, 0, 0).raw(padded).toArray());
      sent += MESSAGE_HEADER_BYTES + padded.length;
      while (sent - processed > 4 * PART_BYTES) {
        ByteBuffer credit = ByteBuffer.wrap(keyed.take(2 * Long.BYTES));
        processed = credit.order(ByteOrder.LITTLE_ENDIAN).getLong(Long.BYTES);
      }
    }
  }

  /** Sends a message of one frame (4.1). */
  public static void sendFrame(RawPeer keyed, int lane, int kind, byte[] body) throws IOException {
    byte[] padded = Arrays.copyOf(body, (body.length + 7) / 8 * 8);
    keyed.send(new WireBytes().int32(body.length).u8(lane, kind, 0, 0).raw(padded).toArray());
  }

  /**
   * Reads frames until these bytes are credited, and says how many were; others are passed over.
   */
  public static long awaitCredit(RawPeer keyed, long bytes) throws IOException {
    long credit = 0;
    while (credit < bytes) {
      credit = readFrame(keyed, CREDIT);
    }
    return credit;
  }

  /** Reads frames until the request with a number is answered; false if that is by a failure. */
  public static boolean readAnswer(RawPeer keyed, long number) throws IOException {
    return readFrame(keyed, ANSWER) == number;
  }

  /** Reads up to the next frame of a kind, among credits; returns its first eight bytes. */
  private static long readFrame(RawPeer keyed, int wanted) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (System.nanoTime() < end) {
      ByteBuffer header =
          ByteBuffer.wrap(keyed.take(MESSAGE_HEADER_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
      int length = header.getInt();
      header.get();
      int kind = header.get() & KIND_BITS;
      byte[] body = keyed.take((length + 7) / 8 * 8);
      if (kind == wanted) {
        return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).getLong();
      }
      if (kind == FAILURE && wanted == ANSWER) {
        return -1;
      }
    }
    throw new SocketTimeoutException("no frame of kind " + wanted + " within 20 s");
  }

  /** A connection for messages of a node that knows an object, which is its key. */
  public static RawPeer keyed(Door door, long high, long low, long object) throws IOException {
    RawPeer peer = RawPeer.withoutKey(door, high, low);
    peer.send(ByteBuffer.allocate(Long.BYTES).putLong(object).array());
    return peer;
  }

  /** A connection of one that knows an object, which is its key. */
  static RawPeer keyed(Target target) throws IOException {
    RawPeer peer = target.withoutKey();
    peer.send(ByteBuffer.allocate(Long.BYTES).putLong(target.object()).array());
    return peer;
  }

  private static void addNonsense(List<Attack> all) {
    all.add(
        new Attack(
            "random first bytes",
            target -> {
              RawPeer peer = target.silent();
              peer.send(target.bytes(target.between(1, 300)));
              if (target.random().nextBoolean()) {
                peer.endOutput();
              }
            }));
    all.add(
        new Attack(
            "part of an introduction",
            target -> {
              byte[] hello = RawPeer.hello(1, 2, "uka", "jdk");
              RawPeer peer = target.silent();
              peer.send(new WireBytes().raw(hello).first(target.between(1, hello.length - 1)));
            }));
    all.add(
        new Attack(
            "introduction of another kind",
            target -> {
              byte[] hello = RawPeer.hello(1, 2, "uka", "jdk");
              hello[target.between(4, hello.length - 1)] = (byte) target.random().nextInt();
              target.silent().send(hello);
            }));
    all.add(
        new Attack(
            "JRMP and nonsense behind it",
            target -> {
              RawPeer peer = target.silent();
              peer.send(new WireBytes().u8('J', 'R', 'M', 'I', 0, 2, 0x4B).toArray());
              peer.send(target.bytes(target.between(1, 200)));
              peer.endOutput();
            }));
    all.add(
        new Attack(
            "random calls",
            target -> {
              RawPeer peer = target.introduced();
              for (int i = target.between(1, 30); i > 0; i--) {
                peer.frame(RawPeer.CALL, target.bytes(target.between(0, 80)));
              }
              peer.endOutput();
            }));
    all.add(
        new Attack(
            "a good call with some bytes changed",
            target -> {
              RawPeer peer = target.introduced();
              byte[] call =
                  peer.request(target.object(), Target.ECHO)
                      .raw(
                          Forged.stub(
                              new String[] {"java.rmi.Remote"}, new long[] {3, 4}, 5, "a:1"))
                      .raw(Forged.setsOfSets(3))
                      .toArray();
              for (int i = target.between(1, 4); i > 0; i--) {
                call[target.random().nextInt(call.length)] = (byte) target.random().nextInt();
              }
              peer.frame(RawPeer.CALL, call);
              peer.endOutput();
              peer.isClosedByNode();
            }));
  }

  private static void addFrames(List<Attack> all) {
    all.add(
        new Attack(
            "frames of unknown kinds",
            target -> {
              target
                  .introduced()
                  .frame(target.random().nextInt(256), target.bytes(target.between(0, 9)));
            }));
    all.add(
        new Attack(
            "a reply to no call",
            target -> {
              target.introduced().frame(RawPeer.REPLY, new byte[1]);
            }));
    all.add(
        new Attack(
            "a length that lies",
            target -> {
              RawPeer peer = target.introduced();
              peer.send(RawPeer.header(RawPeer.CALL, target.between(1 << 20, (1 << 24) - 1)));
              peer.send(target.bytes(target.between(0, 200)));
            }));
    all.add(
        new Attack(
            "empty frames without end",
            target -> {
              RawPeer peer = target.introduced();
              peer.frame(RawPeer.CALL | RawPeer.MORE, beginOfEcho(target, peer, 1 << 23, 1 << 20));
              WireBytes empty = new WireBytes();
              for (int i = 0; i < 2000; i++) {
                empty.raw(RawPeer.header(RawPeer.CALL | RawPeer.MORE, 0));
              }
              peer.send(empty.toArray());
            }));
    all.add(
        new Attack(
            "a long string in tiny frames",
            target -> {
              RawPeer peer = target.introduced();
              int body = target.between(1, 16);
              peer.frame(RawPeer.CALL | RawPeer.MORE, beginOfEcho(target, peer, 1 << 23, 1 << 20));
              WireBytes tiny = new WireBytes();
              for (int i = 0; i < 4000; i++) {
                tiny.raw(RawPeer.header(RawPeer.CALL | RawPeer.MORE, body)).raw(new byte[body]);
              }
              peer.send(tiny.toArray());
            }));
    all.add(
        new Attack(
            "acknowledgements and renewals without end",
            target -> {
              RawPeer peer = target.introduced();
              WireBytes all0 = new WireBytes();
              for (int i = 0; i < 5000; i++) {
                all0.raw(RawPeer.header(RawPeer.ACK | (i % 2 == 0 ? RENEW : 0), 0));
              }
              peer.send(all0.toArray());
            }));
    all.add(
        new Attack(
            "a header of interceptors that is too long",
            target -> {
              WireBytes body = new WireBytes().number(60);
              for (int i = 0; i < 60; i++) {
                body.number(5).raw(new byte[5]).number(60_000).raw(new byte[60_000]);
              }
              target.introduced().message(RawPeer.CALL | HEADER, body.toArray());
            }));
  }

  private static byte[] beginOfEcho(Target target, RawPeer peer, int length, int present) {
    return peer.request(target.object(), Target.ECHO)
        .raw(Forged.beginOfString(length, present))
        .toArray();
  }

  /** Sends a megabyte of a call whose argument is an array of small sets, and not the others. */
  public static void sendUnendedSets(RawPeer peer, long object) throws IOException {
    WireBytes call = peer.request(object, Target.ECHO).raw(Forged.smallSets(262_144, 300_000));
    peer.frame(RawPeer.CALL | RawPeer.MORE, call.toArray());
  }

  private static void addPatience(List<Attack> all) {
    all.add(
        new Attack(
            "a reply that is not read",
            target -> {
              for (int i = target.between(1, 5); i > 0; i--) {
                RawPeer peer = target.introduced();
                WireBytes body = peer.request(target.object(), Target.BYTES);
                peer.frame(RawPeer.CALL, body.int32(8 << 20).toArray());
              }
            }));
    all.add(
        new Attack(
            "small objects of several peers, and then silence",
            target -> {
              for (int i = 0; i < 8; i++) {
                RawPeer peer = target.introduced();
                sendUnendedSets(peer, target.object());
              }
            }));
    all.add(
        new Attack(
            "half a call, and then silence",
            target -> {
              RawPeer peer = target.introduced();
              byte[] call =
                  new WireBytes()
                      .raw(RawPeer.header(RawPeer.CALL, 30))
                      .raw(peer.request(target.object(), Target.ADD))
                      .toArray();
              peer.send(new WireBytes().raw(call).first(target.between(1, call.length)));
            }));
    all.add(
        new Attack(
            "many connections that say nothing",
            target -> {
              for (int i = target.between(10, 100); i > 0; i--) {
                target.silent();
              }
            }));
    all.add(
        new Attack(
            "many connections that are introduced and idle",
            target -> {
              for (int i = target.between(10, 60); i > 0; i--) {
                target.introduced();
              }
            }));
  }
}
