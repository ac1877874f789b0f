package io.karmi.hostile;

import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.Objects;

/** A registry, a bank, the owner of an account, and a customer, each in a JVM of its own. */
public final class Bank {
  private static final String NAME = "counter";
  private static final CounterObject COUNTER = new CounterObject();
  private static final DenyingOwner OWNER = new DenyingOwner();

  private Bank() {}

  /** What the bank serves. */
  public interface Counter extends Remote {
    /** Says whose account it is. */
    void open(Owner owner) throws RemoteException;

    /** Takes everything, if the owner confirms it; true if he has. */
    boolean transfer() throws RemoteException;

    /** What is left. */
    int balance() throws RemoteException;
  }

  /** Whom the bank asks. */
  public interface Owner extends Remote {
    /** Whether the money may go. */
    boolean confirm() throws RemoteException;
  }

  private static final class CounterObject implements Counter {
    private volatile Owner owner;

    @Override
    public void open(Owner by) {
      owner = by;
    }

    @Override
    public boolean transfer() throws RemoteException {
      return owner.confirm();
    }

    @Override
    public int balance() {
      return 100;
    }
  }

  private static final class DenyingOwner implements Owner {
    @Override
    public boolean confirm() {
      System.out.println("asked");
      return false;
    }
  }

  /** Plays one of the parts. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("registry")) {
      registry();
    } else if (arguments[0].equals("bank")) {
      bank(Integer.parseInt(arguments[1]));
    } else if (arguments[0].equals("owner")) {
      owner(Integer.parseInt(arguments[1]));
    } else {
      customer(Integer.parseInt(arguments[1]));
    }
  }

  private static void registry() throws Exception {
    int port = FreePort.any();
    LocateRegistry.createRegistry(port);
    System.out.println("port " + port);
    if (System.in.read() < 0) {
      System.exit(0); // a registry alone keeps no JVM alive
    }
  }

  private static void bank(int registry) throws Exception {
    int port = FreePort.any();
    Remote stub = UnicastRemoteObject.exportObject(COUNTER, port);
    LocateRegistry.getRegistry("127.0.0.1", registry).bind(NAME, stub);
    System.out.println("port " + port);
    printNode();
    System.out.println(
        "object " + Objects.requireNonNull(Node.current().exported(COUNTER)).id().number());
  }

  private static void printNode() {
    System.out.println("node " + Node.current().id().high() + " " + Node.current().id().low());
  }

  private static Counter counter(int port) throws Exception {
    return (Counter) LocateRegistry.getRegistry("127.0.0.1", port).lookup(NAME);
  }

  private static void owner(int port) throws Exception {
    Owner own = (Owner) UnicastRemoteObject.exportObject(OWNER, 0);
    Counter counter = counter(port);
    counter.open(own);
    printNode();
    System.out.println("honest " + counter.transfer());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println("honest " + counter.transfer());
    }
    System.exit(0);
  }

  /** Each line is the port of a registry that it asks for its names; then it asks the bank. */
  private static void customer(int port) throws Exception {
    Counter counter = counter(port);
    System.out.println("balance " + counter.balance());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (!line.isEmpty()) {
        try {
          Registry other = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(line));
          System.out.println("names " + other.list().length);
        } catch (RemoteException e) {
          System.out.println("names " + e.getClass().getSimpleName());
        }
      } else {
        try {
          System.out.println("balance " + counter.balance());
        } catch (RemoteException e) {
          System.out.println("balance " + e);
        }
      }
    }
    System.exit(0);
  }
}
