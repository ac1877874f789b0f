package io.karmi.contract.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Attacks by objects in calls, by references, and by what a node keeps of its peers. */
final class ObjectAttacks {
  private static final long DIRTY = 1;
  private static final long CLEAN = 2;
  private static final long OPEN = 1;
  private static final String[] SERVICE = {Besieged.Service.class.getName()};

  private ObjectAttacks() {}

  /** All there are. */
  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    addObjects(all);
    addAnswers(all);
    addTables(all);
    return all;
  }

  private static void addObjects(List<Attack> all) {
    all.add(
        new Attack(
            "a gadget for an object that everybody knows",
            target -> {
              long[] numbers = {
                Methods.REGISTRY, Methods.COLLECTOR, Methods.COUNTERPARTS, Methods.INSPECTION
              };
              long[] methods = {
                Methods.hash("rebind(Ljava/lang/String;Ljava/rmi/Remote;)V"),
                Methods.hash("lookup(Ljava/lang/String;)Ljava/rmi/Remote;"),
                Methods.hash("karmiStub(Ljava/rmi/server/ObjID;)Ljava/rmi/Remote;"),
                Methods.hash("stockStub(J)Ljava/rmi/Remote;"),
                Methods.LEASE,
                Methods.COUNTING
              };
              for (long number : numbers) {
                for (long method : methods) {
                  WireBytes gadget = Forged.object(Besieged.Gadget.class.getName(), 1);
                  WireBytes arguments = new WireBytes();
                  if (target.random().nextBoolean()) {
                    arguments.raw(Forged.string("name"));
                  }
                  try {
                    target.introduced().call(number, method, arguments.raw(gadget).toArray());
                  } catch (IOException e) {
                    continue; // the next one
                  }
                }
              }
            }));
    all.add(
        new Attack(
            "a gadget in place of a string",
            target -> {
              target
                  .introduced()
                  .call(
                      target.object(),
                      Target.TEXT,
                      Forged.object(Besieged.Gadget.class.getName(), 1).toArray());
            }));
    all.add(
        new Attack(
            "arrays in arrays, and then silence",
            target -> {
              RawPeer peer = target.introduced();
              WireBytes body = peer.request(target.object(), Target.ECHO);
              body.raw(Forged.nestedArrays(target.between(500, 4000), 1 << 16));
              peer.frame(RawPeer.CALL | RawPeer.MORE, body.toArray());
            }));
    all.add(
        new Attack(
            "arrays in arrays that end",
            target -> {
              RawPeer peer = target.introduced();
              WireBytes body = peer.request(target.object(), Target.ECHO);
              body.raw(
                  Forged.nestedArrays(target.between(500, 4000), target.between(1000, 1 << 16)));
              peer.frame(RawPeer.CALL, body.toArray());
              peer.reply();
            }));
    all.add(
        new Attack(
            "arrays that refer back",
            target -> {
              RawPeer peer = target.introduced();
              WireBytes body = peer.request(target.object(), Target.ECHO);
              peer.message(
                  RawPeer.CALL,
                  body.raw(Forged.arraysThatLookBack(target.between(1000, 100_000))).toArray());
            }));
    all.add(
        new Attack(
            "sets of sets of sets",
            target -> {
              RawPeer peer = target.introduced();
              WireBytes body = peer.request(target.object(), Target.ECHO);
              peer.frame(
                  RawPeer.CALL, body.raw(Forged.setsOfSets(target.between(5, 20))).toArray());
            }));
    all.add(
        new Attack(
            "stubs with the same interfaces in all orders",
            target -> {
              List<String> names = new ArrayList<>(Besieged.INTERFACES);
              RawPeer peer = target.introduced();
              WireBytes body = peer.request(target.object(), Target.ECHO);
              body.u8(0x05).u8(1, 0x80 + 19, 0x0B, 0).number(50);
              long[] node = {target.random().nextLong(), target.random().nextLong()};
              for (int i = 0; i < 50; i++) {
                Collections.shuffle(names, target.random());
                body.raw(Forged.stub(names.toArray(new String[0]), node, i + 1000L, "127.0.0.1:1"));
              }
              peer.frame(RawPeer.CALL, body.toArray());
              peer.reply();
            }));
    all.add(
        new Attack(
            "stubs of nodes that do not exist",
            target -> {
              RawPeer peer = target.introduced();
              int count = target.between(50, 500);
              WireBytes body = peer.request(target.object(), Target.ECHO);
              body.u8(0x05).u8(1, 0x80 + 19, 0x0B, 0).number(count);
              for (int i = 0; i < count; i++) {
                long[] node = {target.random().nextLong(), target.random().nextLong()};
                body.raw(Forged.stub(SERVICE, node, 1L << 40, "127.0.0.1:1"));
              }
              peer.message(RawPeer.CALL, body.toArray());
            }));
  }

  private static void addAnswers(List<Attack> all) {
    all.add(
        new Attack(
            "a call in answer to a message of the collector, with the same reference",
            target -> {
              for (int i = 0; i < 20; i++) {
                long[] node = {target.random().nextLong(), target.random().nextLong()};
                RawPeer peer = target.introduced(node);
                boolean isAsked = isCollectorAsked(target, peer, node);
                peer.frame(RawPeer.CALL, echoOfStub(target, peer, node));
                if (isAsked && !peer.isClosedByNode()) {
                  throw new AssertionError("the node executes a call in place of an answer");
                }
              }
            }));
    all.add(
        new Attack(
            "a gadget that a collector throws",
            target -> {
              long[] node = {target.random().nextLong(), target.random().nextLong()};
              RawPeer peer = target.introduced(node);
              if (isCollectorAsked(target, peer, node)) {
                int outcome = target.between(RawPeer.RETURNED, RawPeer.THROWN + 1);
                WireBytes reply = new WireBytes().u8(outcome);
                peer.frame(
                    RawPeer.REPLY,
                    reply.raw(Forged.object(Besieged.Gadget.class.getName(), 1)).toArray());
                peer.reply();
              }
            }));
  }

  /** Sends a reference to an object of the attacker; whether the node tells its collector so. */
  private static boolean isCollectorAsked(Target target, RawPeer peer, long[] node)
      throws IOException {
    peer.frame(RawPeer.CALL, echoOfStub(target, peer, node));
    return peer.read(new ArrayList<>()) == RawPeer.CALL;
  }

  private static byte[] echoOfStub(Target target, RawPeer peer, long[] node) {
    return peer.request(target.object(), Target.ECHO)
        .raw(Forged.stub(SERVICE, node, 1L << 40, "127.0.0.1:1"))
        .toArray();
  }

  private static void addTables(List<Attack> all) {
    all.add(
        new Attack(
            "type numbers without end",
            target -> {
              RawPeer peer = target.introduced();
              WireBytes body = peer.request(target.object(), Target.ECHO);
              body.u8(0x05).u8(1, 0x80 + 19, 0x0B, 0).number(200_000);
              peer.message(RawPeer.CALL, body.raw(Forged.slimTypes(200_000)).toArray());
              peer.reply();
            }));
    all.add(
        new Attack(
            "interfaces without end",
            target -> {
              RawPeer peer = target.introduced();
              for (int i = 0; i < 40; i++) {
                WireBytes body = new WireBytes().int64(target.object()).number(i).number(60_000);
                body.raw(target.bytes(60_000 * Long.BYTES)).number(0);
                peer.message(RawPeer.CALL, body.toArray());
                peer.reply();
              }
            }));
    all.add(
        new Attack(
            "two large interfaces in turn",
            target -> {
              RawPeer peer = target.introduced();
              for (int i = 0; i < 200; i++) {
                WireBytes body = new WireBytes().int64(target.object()).number(i % 2);
                if (i < 2) {
                  body.number(60_000).raw(target.bytes(60_000 * Long.BYTES));
                }
                peer.message(RawPeer.CALL, body.number(0).toArray());
                peer.reply();
              }
            }));
    all.add(
        new Attack(
            "accounts without end",
            target -> {
              RawPeer peer = target.introduced();
              for (int i = 0; i < 3000; i++) {
                collector(peer, i == 0, Methods.COUNTING, OPEN, target.random().nextLong());
                peer.reply();
              }
            }));
    all.add(
        new Attack(
            "leases and cleans of others",
            target -> {
              RawPeer peer = target.introduced();
              for (int i = 0; i < 500; i++) {
                long kind = target.random().nextBoolean() ? DIRTY : CLEAN;
                collector(
                    peer,
                    i == 0,
                    Methods.LEASE,
                    kind,
                    Long.MAX_VALUE - i,
                    1,
                    target.random().nextBoolean() ? target.object() : target.random().nextLong(),
                    target.random().nextLong());
                peer.reply();
              }
            }));
  }

  private static void collector(RawPeer peer, boolean first, long method, long... numbers)
      throws IOException {
    WireBytes body = new WireBytes().int64(Methods.COLLECTOR).number(0);
    if (first) {
      body.number(1).int64(method);
    }
    body.number(0).number(numbers.length);
    for (long number : numbers) {
      body.int64(number);
    }
    peer.frame(RawPeer.CALL, body.toArray());
  }
}
