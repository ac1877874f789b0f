package io.karmi.trust;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.kit.FreePort;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import io.karmi.technology.Technology;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A server with a registry, and a stranger who sends objects to every number that is known. */
public final class Exposed {
  private static final int NUMBERS = 16;

  private static Registry registry;
  private static Remote kept;

  private Exposed() {}

  /** Prints when it is read. */
  public static final class Evil implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      System.out.println("EVIL WAS READ");
    }
  }

  /** Takes anything. */
  public interface Open extends Remote {
    /** Takes anything. */
    String take(Object anything) throws RemoteException;
  }

  /** Serves with {@code serve}, and else attacks the port that is given. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("serve")) {
      int port = FreePort.any();
      registry = LocateRegistry.createRegistry(port);
      kept = new TakesAnything();
      UnicastRemoteObject.exportObject(kept, 0);
      registry.rebind("open", kept);
      System.out.println("port " + port);
      Thread.sleep(600_000);
    }
    attack(Integer.parseInt(arguments[1]));
  }

  private static final class TakesAnything implements Open {
    @Override
    public String take(Object anything) {
      return String.valueOf(anything != null);
    }
  }

  private static void attack(int port) throws Exception {
    for (int number = 0; number < NUMBERS; number++) {
      for (Map.Entry<String, Long> method : methods().entrySet()) {
        for (Object[] sent : graphs()) {
          String outcome = call(port, number, method.getKey(), method.getValue(), sent);
          System.out.println("object " + number + " " + method.getKey() + ": " + outcome);
        }
      }
    }
    Open open = (Open) LocateRegistry.getRegistry("127.0.0.1", port).lookup("open");
    System.out.println("declared: " + open.take(new Evil()));
    System.out.println("over");
  }

  private static Object[][] graphs() {
    Object[] deep = {new Evil()};
    return new Object[][] {
      {new Evil(), new Evil(), new Evil()},
      {"name", new Evil()},
      {deep, deep},
      {new ArrayList<>(List.of(new Evil())), Map.of(1, new Evil())}
    };
  }

  /** The methods of all objects with well-known numbers, and one that none has. */
  private static Map<String, Long> methods() throws Exception {
    Map<String, Long> methods = new LinkedHashMap<>();
    for (Class<?> type :
        List.of(Registry.class, Class.forName("io.karmi.stock.Counterparts"), Open.class)) {
      RemoteInterface described = io.karmi.stub.StubTypes.of(type).remoteInterface();
      for (int i = 0; i < described.methodCount(); i++) {
        methods.put(described.methodName(i), described.methodHash(i));
      }
    }
    methods.put("of leases", 0x4B61524D49444743L);
    methods.put("of counts", 0x4B61524D49444743L + "counting".hashCode());
    methods.put("of inspection", 0x4B61524D49544142L);
    methods.put("of DGC dirty", -8189587882259092350L);
    methods.put("of none", 42L);
    return methods;
  }

  private static String call(int port, long number, String name, long hash, Object... sent)
      throws IOException {
    ClientRef reference = Node.current().locate("127.0.0.1", port, number);
    ObjectId target = reference.id();
    Technology way = technology();
    try {
      way.voidApplicationCall(
          target, RemoteInterface.ofHash(name, hash, null), 0, new Sent(sent), null);
      return "returned";
    } catch (ThrownByCallee e) {
      return "threw " + root(e.getCause());
    } catch (IOException | RuntimeException e) {
      return "failed " + root(e);
    }
  }

  private static String root(Throwable problem) {
    Throwable last = problem;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return last.toString();
  }

  private static Technology technology() {
    try {
      Method route = Node.class.getDeclaredMethod("route", ObjectId.class);
      route.setAccessible(true);
      return (Technology)
          route.invoke(Node.current(), Node.current().locate("127.0.0.1", 1, 0).id());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Sent extends Arguments {
    private final Object[] sent;

    Sent(Object[] sent) {
      this.sent = sent;
    }

    @Override
    public void marshal(CallOutput out) throws IOException {
      for (Object each : sent) {
        out.writeObject(each);
      }
    }
  }
}
