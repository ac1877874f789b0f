package io.karmi.bridge;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.stub.StubTypes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.dgc.DGC;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.management.remote.rmi.RMIConnection;
import javax.management.remote.rmi.RMIServer;

/**
 * A hostile node without TCP, which hands references with forged names to two bridges: {@code
 * ForgerMain <hub> <hub>}. Answers each command with a line.
 */
public final class ForgerMain {
  /** What the relay replaces by the number of a forwarding object. */
  private static final long PLACE = 0x7b3c_5d1e_9a86_42f7L;

  /** Remote interfaces beside one with many methods. */
  private static final List<Class<?>> MORE =
      List.of(Hub.class, Worker.class, Registry.class, DGC.class, RMIServer.class);

  /** Ways of a long name beside those that are used, and characters of each. */
  private static final int LONG_WAYS = 50;

  private static final int LONG_ADDRESS = 4_000;

  private final List<Hub> hubs;

  /** Keeps the forwarding objects alive. */
  private final List<Hub> held = new ArrayList<>();

  private final List<Remote> heldLists = new ArrayList<>();

  private ForgerMain(List<Hub> hubs) {
    this.hubs = hubs;
  }

  /** Takes commands until it is killed. */
  public static void main(String[] arguments) throws Exception {
    ForgerMain main =
        new ForgerMain(
            List.of(
                (Hub) StoredStubs.fromText(arguments[0]),
                (Hub) StoredStubs.fromText(arguments[1])));
    System.out.println("ready");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer;
      try {
        answer = "result " + main.answer(line.split(" "));
      } catch (RemoteException | RuntimeException e) {
        answer = "result thrown " + e;
      }
      System.out.println(answer.replace('\n', ' '));
    }
  }

  private Object answer(String[] words) throws IOException {
    switch (words[0]) {
      case "chain":
        return chain(Integer.parseInt(words[1])).get("nothing") == null;
      case "long":
        return withLongNames(Integer.parseInt(words[1]));
      case "lists":
        return withListsOfInterfaces();
      case "circle":
        return circle().get("nothing") == null;
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  /**
   * How many references with names as long as they may be the first bridge forwards calls of, at
   * the same time.
   */
  private int withLongNames(int references) throws RemoteException {
    ObjectId hub = id(hubs.get(1));
    String[] ways = new String[LONG_WAYS];
    Arrays.setAll(ways, i -> i + "x".repeat(LONG_ADDRESS));
    int forwarded = 0;
    for (int i = 0; i < references; i++) {
      TechnologyId[] all = new TechnologyId[1 + LONG_WAYS];
      all[0] = new TechnologyId("tcp", tcp(hub));
      for (int j = 0; j < LONG_WAYS; j++) {
        all[1 + j] = new TechnologyId("way" + j, ways[j]);
      }
      Hub stub = stub(new ObjectId(hub.node(), hub.number(), all));
      hubs.get(0).put("long", stub);
      Hub again = (Hub) hubs.get(0).get("long");
      if (id(again).technology("bridge") != null) {
        held.add(again);
        forwarded++;
      }
    }
    return forwarded;
  }

  /** The same for references each of which has other interfaces, one of them with many methods. */
  private int withListsOfInterfaces() throws RemoteException {
    ObjectId hub = id(hubs.get(1));
    ObjectId there = new ObjectId(hub.node(), hub.number(), new TechnologyId("tcp", tcp(hub)));
    int forwarded = 0;
    for (int set = 1; set < 1 << MORE.size(); set++) {
      List<Class<?>> list = new ArrayList<>(List.of(RMIConnection.class));
      for (int i = 0; i < MORE.size(); i++) {
        if ((set >> i & 1) != 0) {
          list.add(MORE.get(i));
        }
      }
      ClientRef reference = Node.current().reference(there);
      hubs.get(0).put("lists", StubTypes.of(list.toArray(new Class<?>[0])).makeStub(reference));
      Remote again = hubs.get(0).get("lists");
      if (((ClientRef) ((RemoteObject) again).getRef()).id().technology("bridge") != null) {
        heldLists.add(again);
        forwarded++;
      }
    }
    return forwarded;
  }

  /** The second hub, behind a number of objects that forward calls, in the two bridges in turn. */
  private Hub chain(int links) throws RemoteException {
    ObjectId last = id(hubs.get(1));
    for (int i = 0; i < links; i++) {
      Hub bridge = hubs.get(i % 2);
      Hub forwarder = handedOn(bridge, forged(last.node(), last.number(), tcp(last)));
      last = way(forwarder);
    }
    return held.get(held.size() - 1);
  }

  /**
   * An object of the second bridge that forwards to the first one, which forwards to the second:
   * what lies between them puts the number of that very object in the place of another.
   */
  private Hub circle() throws IOException {
    ObjectId second = id(hubs.get(1));
    ForgingRelay relay = new ForgingRelay(tcp(second), PLACE);
    Hub first = handedOn(hubs.get(0), forged(second.node(), PLACE, relay.address()));
    ObjectId there = way(first);
    Hub closing = handedOn(hubs.get(1), forged(there.node(), there.number(), tcp(there)));
    relay.replaceBy(way(closing).number());
    return closing;
  }

  /** The reference as a bridge hands it on, which a node without TCP calls through that bridge. */
  private Hub handedOn(Hub bridge, Hub reference) throws RemoteException {
    String name = "forged " + held.size();
    bridge.put(name, reference);
    Hub again = (Hub) bridge.get(name);
    held.add(again);
    return again;
  }

  private static Hub forged(NodeId node, long number, String tcp) {
    return stub(new ObjectId(node, number, new TechnologyId("tcp", tcp)));
  }

  private static Hub stub(ObjectId id) {
    return (Hub) StubTypes.of(Hub.class).makeStub(Node.current().reference(id));
  }

  private static ObjectId id(Hub stub) {
    return ((ClientRef) ((RemoteObject) stub).getRef()).id();
  }

  private static String tcp(ObjectId object) {
    TechnologyId way = object.technology("tcp");
    if (way == null) {
      throw new IllegalStateException("not reached over TCP: " + object);
    }
    return way.address();
  }

  /** The forwarding object that a reference is called through. */
  private static ObjectId way(Hub stub) {
    TechnologyId bridge = id(stub).technology("bridge");
    if (bridge == null) {
      throw new IllegalStateException("not called through a bridge: " + id(stub));
    }
    String[] parts = bridge.address().split(";", -1);
    String[] name = parts[0].split("/", -1);
    String tcp = null;
    for (String part : parts) {
      if (part.startsWith("tcp=")) {
        tcp = part.substring("tcp=".length());
      }
    }
    if (tcp == null) {
      throw new IllegalStateException("not reached over TCP: " + bridge);
    }
    NodeId node =
        NodeId.of(
            Long.parseUnsignedLong(name[0].substring(0, 16), 16),
            Long.parseUnsignedLong(name[0].substring(16), 16));
    return new ObjectId(node, Long.parseUnsignedLong(name[1], 16), new TechnologyId("tcp", tcp));
  }
}
