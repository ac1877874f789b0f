package io.karmi.contract.hostile;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Attacks that make a node hold, do or wait for something, and then do nothing more. */
final class HoldingAttacks {
  private static final int MESSAGE = 0;
  private static final int REQUEST = 1;
  private static final int CREDIT = 4;
  private static final int LANES = 16;
  private static final int MOST_FRAME_BYTES = 60_000;
  private static final int LONG_STRING = 0x03;
  private static final int PART_BYTES = 1 << 16;

  private static final int WRITING_MILLIS = 200;

  /** In a frame; each takes some 180 bytes of memory. */
  private static final int MOST_SETS = 13_000;

  private static final String[] REMOTE = {"java.rmi.Remote"};

  private HoldingAttacks() {}

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    all.add(new Attack("types in all lanes of links", HoldingAttacks::describeTypes));
    all.add(new Attack("types of strangers", HoldingAttacks::describeTypesToARegistry));
    all.add(new Attack("names for the registry that do not end", HoldingAttacks::beginNames));
    all.add(new Attack("texts that go on now and then", HoldingAttacks::beginTexts));
    all.add(
        new Attack("requests without a look at the answers", HoldingAttacks::askAndTakeNothing));
    all.add(new Attack("answers that are taken byte by byte", HoldingAttacks::askAndTakeBytes));
    all.add(new Attack("stubs of silent owners, and gone", HoldingAttacks::sendStubsAndLeave));
    all.add(new Attack("hashes that take long, again and again", HoldingAttacks::hashAgain));
    all.add(new Attack("short links with one message that is nonsense", HoldingAttacks::makeLines));
    all.add(new Attack("many holders of many references", HoldingAttacks::takeLeases));
    all.add(new Attack("sets that are sent back and not taken", HoldingAttacks::echoSets));
    all.add(new Attack("calls of sets and one that parks", HoldingAttacks::parkWithSets));
    all.add(new Attack("messages of sets and one that parks", HoldingAttacks::parkWithSentSets));
    all.add(new Attack("beginnings of calls over many connections", HoldingAttacks::beginMany));
    all.add(new Attack("names of stock RMI that do not end", HoldingAttacks::beginStockNames));
    return all;
  }

  private static void describeTypes(Target target) throws IOException {
    int types = target.between(10, 9_900);
    byte[] body =
        new WireBytes()
            .u8(0x05, 1, 0x80 + 19, 0x0B, 0)
            .number(types)
            .raw(Forged.slimTypes(types))
            .toArray();
    for (int i = target.between(1, 6); i > 0; i--) {
      RawPeer peer = Attacks.keyed(target);
      for (int lane = target.between(0, LANES - 1); lane < LANES; lane++) {
        Attacks.sendFrame(peer, lane, MESSAGE, body);
      }
    }
  }

  private static void describeTypesToARegistry(Target target) throws IOException {
    long lookup = Methods.hash("lookup(Ljava/lang/String;)Ljava/rmi/Remote;");
    for (int i = target.between(1, 20); i > 0; i--) {
      RawPeer peer = target.introduced();
      int types = target.between(10, 9_900);
      WireBytes call = peer.request(Methods.REGISTRY, lookup);
      call.u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(types).raw(Forged.slimTypes(types));
      peer.message(RawPeer.CALL, call.toArray());
    }
  }

  private static void beginNames(Target target) throws IOException {
    long lookup = Methods.hash("lookup(Ljava/lang/String;)Ljava/rmi/Remote;");
    for (int i = target.between(1, 8); i > 0; i--) {
      begin(target, Methods.REGISTRY, lookup, target.between(1, 40));
    }
  }

  private static void beginTexts(Target target) throws IOException {
    for (int i = target.between(1, 8); i > 0; i--) {
      begin(target, target.object(), Target.TEXT, target.between(1, 200));
    }
  }

  private static void begin(Target target, long object, long method, int parts) throws IOException {
    RawPeer peer = target.introduced();
    WireBytes begin = peer.request(object, method).u8(LONG_STRING).number(1L << 25);
    peer.frame(RawPeer.CALL | RawPeer.MORE, begin.toArray());
    for (int i = 0; i < parts; i++) {
      peer.frame(RawPeer.CALL | RawPeer.MORE, new byte[target.between(1, PART_BYTES)]);
    }
  }

  private static void askAndTakeNothing(Target target) throws IOException {
    ask(Attacks.keyed(target), target);
  }

  /** Says again and again that a byte more of the answers was processed. */
  private static void askAndTakeBytes(Target target) throws IOException {
    RawPeer peer = Attacks.keyed(target);
    ask(peer, target);
    for (int i = target.between(1, 100); i > 0; i--) {
      Attacks.sendFrame(peer, 0, CREDIT, new WireBytes().int64(101L - i).toArray());
    }
  }

  private static void ask(RawPeer peer, Target target) throws IOException {
    int bytes = target.between(1, MOST_FRAME_BYTES);
    byte[] request =
        new WireBytes().int64(7).u8(LONG_STRING).number(bytes).raw(new byte[bytes]).toArray();
    for (int sent = 0; sent < 480_000 - MOST_FRAME_BYTES; sent += request.length + Long.BYTES * 2) {
      Attacks.sendFrame(peer, target.between(0, LANES - 1), REQUEST, request);
    }
  }

  private static void sendStubsAndLeave(Target target) throws IOException {
    ServerSocket silent = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
    target.keep(silent);
    String address = "127.0.0.1:" + silent.getLocalPort();
    for (int i = target.between(1, 20); i > 0; i--) {
      RawPeer peer = target.introduced();
      int stubs = target.between(1, 30);
      WireBytes call = peer.request(target.object(), Target.ECHO);
      call.u8(0x05, 1, 0x80 + 19, 0x0B, 0).number(stubs);
      for (int k = 0; k < stubs; k++) {
        long[] node = {target.random().nextLong(), k};
        call.raw(Forged.stub(REMOTE, node, target.random().nextLong(), address));
      }
      peer.message(RawPeer.CALL, call.toArray());
      peer.close();
    }
  }

  private static void hashAgain(Target target) throws IOException {
    int levels = target.between(12, 20);
    for (int i = target.between(1, 10); i > 0; i--) {
      target.introduced().call(target.object(), Target.ECHO, Forged.setsOfSets(levels).toArray());
    }
  }

  private static void makeLines(Target target) throws IOException {
    for (int i = target.between(1, 40); i > 0; i--) {
      RawPeer peer = Attacks.keyed(target);
      Attacks.sendFrame(peer, 1, MESSAGE, target.bytes(target.between(1, 20)));
      peer.close();
    }
  }

  private static void takeLeases(Target target) throws IOException {
    int keys = target.between(1, 1_000);
    WireBytes message = new WireBytes().number(3 + 2L * keys).int64(1).int64(1).int64(600_000);
    for (int k = 0; k < keys; k++) {
      message.int64(target.object()).int64(target.random().nextLong());
    }
    for (int i = target.between(1, 50); i > 0; i--) {
      target.introduced().call(Methods.COLLECTOR, Methods.LEASE, message.toArray());
    }
  }

  /** The node stops to read where it cannot write; what is not sent by then stays unsent. */
  private static void echoSets(Target target) throws IOException {
    for (int i = target.between(1, 5); i > 0; i--) {
      RawPeer peer = target.introduced();
      byte[] sets = Attacks.sets(target.between(100, 50_000)).toArray();
      int calls = target.between(1, 10);
      Thread sender =
          new Thread(
              () -> sendAgain(peer, target.object(), sets, calls), "caller that does not read");
      sender.setDaemon(true);
      sender.start(); // ends at the latest when the attack is judged
      try {
        sender.join(WRITING_MILLIS);
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }
  }

  private static void sendAgain(RawPeer peer, long object, byte[] sets, int calls) {
    try {
      for (int i = 0; i < calls; i++) {
        peer.message(RawPeer.CALL, peer.request(object, Target.ECHO).raw(sets).toArray());
      }
    } catch (IOException e) {
      return; // closed, by the node or by the attacker
    }
  }

  private static byte[] setsAndOneThatParks(Target target) {
    WireBytes parked = Forged.object(Besieged.Parked.class.getName(), 1);
    return Forged.setsAndThen(target.between(1, MOST_SETS), parked).toArray();
  }

  private static void parkWithSets(Target target) throws IOException {
    for (int i = target.between(1, 30); i > 0; i--) {
      RawPeer peer = target.introduced();
      byte[] sets = setsAndOneThatParks(target);
      peer.message(RawPeer.CALL, peer.request(target.object(), Target.ECHO).raw(sets).toArray());
      if (target.random().nextBoolean()) {
        peer.close();
      }
    }
  }

  private static void parkWithSentSets(Target target) throws IOException {
    RawPeer peer = Attacks.keyed(target);
    for (int lane = target.between(0, LANES - 1); lane >= 0; lane--) {
      Attacks.sendFrame(peer, lane, target.between(0, 1), setsAndOneThatParks(target));
    }
  }

  private static void beginMany(Target target) throws IOException {
    int bytes = target.between(100, MOST_FRAME_BYTES);
    for (int i = target.between(1, 150); i > 0; i--) {
      RawPeer peer = target.introduced();
      WireBytes begin = peer.request(target.object(), Target.TEXT).u8(LONG_STRING).number(bytes);
      peer.send(RawPeer.header(RawPeer.CALL, bytes));
      peer.send(begin.toArray());
    }
  }

  private static void beginStockNames(Target target) throws IOException {
    for (int i = target.between(1, 4); i > 0; i--) {
      RawPeer peer = target.silent();
      peer.send(Forged.beginOfStockLookup());
      for (int k = target.between(1, 30); k > 0; k--) {
        peer.send(new byte[1 << 13]);
      }
    }
  }
}
