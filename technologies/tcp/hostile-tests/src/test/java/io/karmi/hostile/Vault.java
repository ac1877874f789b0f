package io.karmi.hostile;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import io.karmi.stub.StubTypes;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.Unreferenced;
import java.util.List;
import java.util.Objects;

/** A keeper of boxes, and one who holds a box, each in a JVM of its own. */
public final class Vault {
  private static final String NAME = "vault";
  private static final BoxObject BOX = new BoxObject("");
  private static final BoxObject OTHER = new BoxObject("other ");
  private static final KeeperObject KEEPER = new KeeperObject();

  /** What the holder has: static, so that the collector does not take it away. */
  private static Keeper keeper;

  private static Box box;
  private static Object forged;

  private Vault() {}

  /** What is called to get a box. */
  public interface Keeper extends Remote {
    /** Always the same one. */
    Box box() throws RemoteException;

    /** Another one. */
    Box other() throws RemoteException;
  }

  /** What is held. */
  public interface Box extends Remote {
    /** True. */
    boolean touch() throws RemoteException;
  }

  private static final class KeeperObject implements Keeper {
    @Override
    public Box box() {
      return BOX;
    }

    @Override
    public Box other() {
      return OTHER;
    }
  }

  private static final class BoxObject implements Box, Unreferenced {
    private final String name;

    BoxObject(String name) {
      this.name = name;
    }

    @Override
    public boolean touch() {
      return true;
    }

    @Override
    public void unreferenced() {
      System.out.println(name + "unreferenced");
    }
  }

  /** Plays one of the parts. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("keeper")) {
      keeper();
    } else {
      holder(Integer.parseInt(arguments[1]));
    }
  }

  private static void keeper() throws Exception {
    int port = FreePort.any();
    Remote stub = UnicastRemoteObject.exportObject(KEEPER, port);
    UnicastRemoteObject.exportObject(BOX, port);
    UnicastRemoteObject.exportObject(OTHER, port);
    LocateRegistry.createRegistry(port).bind(NAME, stub);
    printNode();
    System.out.println("keeper " + number(KEEPER));
    System.out.println("box " + number(BOX));
    System.out.println("port " + port);
  }

  private static void printNode() {
    System.out.println("node " + Node.current().id().high() + " " + Node.current().id().low());
  }

  private static long number(Remote object) {
    return Objects.requireNonNull(Node.current().exported(object)).id().number();
  }

  private static void holder(int port) throws Exception {
    keeper = (Keeper) LocateRegistry.getRegistry("127.0.0.1", port).lookup(NAME);
    box = keeper.box();
    printNode();
    System.out.println("touched " + box.touch());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(answer(line.split(" ")));
    }
    System.exit(0);
  }

  private static String answer(String[] words) throws Exception {
    switch (words[0]) {
      case "touch":
        box = keeper.box();
        return "touched " + box.touch();
      case "forged":
        forged = forged(Box.class, words, 0x5d1e_9a86L << 8);
        return forged == null ? "none" : "forged";
      case "through":
        Keeper there = (Keeper) forged(Keeper.class, words, Long.parseLong(words[4]));
        forged = List.of(there, there.box(), there.other());
        return "through";
      default:
        box = null;
        System.gc();
        return "dropped";
    }
  }

  /** A reference to an object of a node, at an address that is another's, as it arrives. */
  private static Object forged(Class<? extends Remote> type, String[] words, long number)
      throws Exception {
    NodeId node = NodeId.of(Long.parseLong(words[1]), Long.parseLong(words[2]));
    ObjectId id = new ObjectId(node, number, new TechnologyId("tcp", "127.0.0.1:" + words[3]));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(StubTypes.of(type).makeStub(Node.current().reference(id)));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
