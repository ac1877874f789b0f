package io.karmi.trust;

import io.karmi.Karmi;
import io.karmi.interceptor.CallAuthorizer;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A program whose server tells those who send it messages who they are. */
public final class Correspondent {
  private Correspondent() {}

  /** Leads to the node. */
  public interface Door extends Remote {
    /** Returns. */
    void knock() throws RemoteException;
  }

  private static final class Open implements Door {
    @Override
    public void knock() {}
  }

  /** Kept from the collector. */
  private static final Door DOOR = new Open();

  /** Says when it is read. */
  public static final class Loud implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      System.out.println("gadget");
    }
  }

  /** What is received. */
  public record Note(String text) implements Serializable {}

  /**
   * One end: {@code serve [guarded]}, {@code strict}, which expects less, {@code stranger <port>},
   * or {@code call <port>}.
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("serve")) {
      Messaging.ofThisNode().answer(Loud.class, (question, from) -> "read");
      serve(arguments.length > 1);
    } else if (arguments[0].equals("strict")) {
      serve(false);
    } else if (arguments[0].equals("stranger")) {
      Messaging messaging = Messaging.ofThisNode();
      Address server = Address.at("127.0.0.1", Integer.parseInt(arguments[1]));
      ask(messaging, server, "who", "who am I?");
      ask(messaging, server, "loud", new Loud());
      ask(messaging, server, "short", new String[5]);
      ask(messaging, server, "long", new String[500]);
      System.exit(0);
    } else {
      call(Integer.parseInt(arguments[1]));
      System.exit(0);
    }
  }

  private static String sender() {
    return Karmi.caller()
        .map(
            who ->
                who.node()
                    + " "
                    + who.host()
                    + " "
                    + who.technology()
                    + " "
                    + who.principal().map(each -> each.getName()).orElse("nobody"))
        .orElse("none");
  }

  private static void serve(boolean guarded) throws Exception {
    if (guarded) {
      CallAuthorizer guard =
          (call, caller) -> {
            if (call.isMessage()
                && call.method().startsWith("request")
                && call.interfaceName().equals(Messaging.class.getName())) {
              throw new AccessException("no answers for " + caller.host());
            }
          };
      Karmi.add(guard);
    }
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("door", UnicastRemoteObject.exportObject(DOOR, port));
    Messaging messaging = Messaging.ofThisNode();
    messaging.answer(String.class, (question, from) -> sender());
    messaging.receive(
        Note.class, (note, from) -> System.out.println(note.text() + " by " + sender()));
    System.out.println("port " + port);
    if (System.in.read() < 0) {
      System.exit(0);
    }
  }

  private static void call(int port) throws Exception {
    System.out.println("node " + Node.current().id());
    Remote door = LocateRegistry.getRegistry("127.0.0.1", port).lookup("door");
    Messaging messaging = Messaging.ofThisNode();
    Address server = Address.of(door);
    ask(messaging, server, "who", "who am I?");
    ask(messaging, server, "loud", new Loud());
    messaging.send(new Note("note"), server);
    messaging.close();
    System.out.println("outside " + sender());
  }

  private static void ask(Messaging messaging, Address server, String what, Serializable question)
      throws Exception {
    try {
      System.out.println(
          what + " " + messaging.request(question, server).get(60, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      System.out.println(what + " threw " + e.getCause());
    }
  }
}
