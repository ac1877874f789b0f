package io.karmi.trust;

import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.Unreferenced;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * A server that has no threads, memory or descriptors left from one command to the next, with
 * objects of KaRMI and of stock RMI; and a client of it, which is left alone.
 *
 * <p>The server prints {@code port N}, {@code object N} and {@code stock N}, and takes commands of
 * one letter, so that it needs no memory to read them:
 *
 * <ul>
 *   <li>{@code p}: exports one more object, whose number it prints, and prepares what {@code x}
 *       needs
 *   <li>{@code t}, {@code m}, {@code d}: leaves no thread, memory or descriptor
 *   <li>{@code x}: exports an object at a port of its own, or fails to; prints nothing
 *   <li>{@code r}: gives all back
 *   <li>{@code e}: exports that object again if it has failed; prints its port and number
 *   <li>{@code u}: prints whether the object of the last {@code p} is referenced
 *   <li>{@code c}: calls its client; prints the outcome
 *   <li>{@code s}: prints its services, as JMX shows them
 * </ul>
 */
public final class StarvedServer {
  /** In the place of a command: the next one is to be read. */
  private static final int NONE = 0;

  private static final long SECOND_ATTEMPT_MILLIS = 100;

  private static final List<Object> KEPT = new ArrayList<>();
  private static final Starvation STARVATION = new Starvation();
  private static volatile @Nullable Entry client;
  private static Served prepared = new Served();
  private static Served spare = new Served();
  private static int sparePort;
  private static @Nullable Throwable problem;

  private StarvedServer() {}

  /** What server and client serve. */
  public interface Entry extends Remote {
    /** Returns 1. */
    int ping() throws RemoteException;

    /** Makes an object that its caller alone keeps alive. */
    Entry make() throws RemoteException;

    /** Keeps a reference to an object of the caller. */
    void keep(Entry callersOwn) throws RemoteException;
  }

  private static final class Served implements Entry, Unreferenced {
    volatile boolean unreferenced;

    @Override
    public int ping() {
      return 1;
    }

    @Override
    public Entry make() throws RemoteException {
      Served made = new Served();
      UnicastRemoteObject.exportObject(made, 0);
      return made;
    }

    @Override
    public void keep(Entry callersOwn) {
      client = callersOwn;
    }

    /** Prints nothing: there may be no memory for that. */
    @Override
    public void unreferenced() {
      unreferenced = true;
    }
  }

  /**
   * Serves, with {@code own} by sockets of its own; or holds a reference to the object at a port
   * and answers {@code ping}.
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("hold")) {
      hold(Integer.parseInt(arguments[1]));
      return;
    }
    if (arguments[0].equals("own")) {
      RMISocketFactory.setSocketFactory(new OwnSockets());
    }
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    Served served = new Served();
    UnicastRemoteObject.exportObject(served, port);
    registry.rebind("entry", served);
    int stockPort = FreePort.any();
    KEPT.addAll(
        List.of(registry, served, java.rmi.registry.LocateRegistry.createRegistry(stockPort)));
    prepare();
    exportSpare(); // what is used for the first time without descriptors or memory may be lost
    System.getLogger("io.karmi.tcp").log(System.Logger.Level.WARNING, "a log has been written");
    System.out.println("port " + port);
    System.out.println("object " + number(served));
    System.out.println("stock " + stockPort);
    takeCommands();
  }

  /** Where memory ends, a command that has been read is executed again. */
  private static void takeCommands() throws Exception {
    int command = NONE;
    while (true) {
      try {
        command = command == NONE ? System.in.read() : command;
        if (command < 0) {
          System.exit(0);
        }
        execute(command);
        command = NONE;
      } catch (OutOfMemoryError e) {
        continue;
      }
    }
  }

  private static void execute(int command) throws Exception {
    switch (command) {
      case 'p' -> say("prepared " + prepare());
      case 't', 'm', 'd' -> STARVATION.begin(command);
      case 'x' -> exportSpare();
      case 'r' -> STARVATION.end();
      case 'e' -> say("exported " + exportedSpare());
      case 'u' -> say("unreferenced " + prepared.unreferenced);
      case 'c' -> say("client " + pinged(Objects.requireNonNull(client)));
      case 's' -> say("services " + services());
      default -> {} // ends of lines
    }
  }

  /** On a line of its own: others may have begun one, of what they have no memory to end. */
  private static void say(String answer) {
    System.out.print("\n" + answer + "\n");
    System.out.flush();
  }

  private static long prepare() throws Exception {
    prepared = new Served();
    KEPT.add(prepared);
    UnicastRemoteObject.exportObject(prepared, 0);
    spare = new Served();
    KEPT.add(spare);
    sparePort = FreePort.any();
    return number(prepared);
  }

  private static long number(Remote object) {
    return Objects.requireNonNull(Node.current().exported(object)).id().number();
  }

  private static void exportSpare() {
    problem = null;
    try {
      UnicastRemoteObject.exportObject(spare, sparePort);
    } catch (Throwable e) {
      problem = e;
    }
  }

  private static String exportedSpare() throws RemoteException, InterruptedException {
    String outcome = problem == null ? "at once" : "again after " + problem;
    while (problem != null) {
      exportSpare();
      if (problem != null && !(problem.getCause() instanceof BindException)) {
        throw new ExportException("not possible afterwards", new IOException(problem));
      }
      if (problem != null) { // the JDK had no memory to close the port; a collection closes it
        System.gc();
        Thread.sleep(SECOND_ATTEMPT_MILLIS);
      }
    }
    return sparePort + " " + number(spare) + " " + outcome.replace('\n', ' ');
  }

  private static String pinged(Entry other) {
    try {
      return String.valueOf(other.ping());
    } catch (RemoteException e) {
      return e.toString().replace('\n', ' ');
    }
  }

  private static String services() throws Exception {
    CompositeData[] services =
        (CompositeData[])
            ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("io.karmi:type=Node"), "Services");
    StringBuilder all = new StringBuilder();
    for (CompositeData each : services) {
      all.append(each.get("name")).append('=').append(each.get("alive"));
      all.append(',').append(each.get("rounds")).append(';');
    }
    return all.toString();
  }

  private static void hold(int port) throws Exception {
    Registry found = LocateRegistry.getRegistry("127.0.0.1", port);
    Entry server = (Entry) found.lookup("entry");
    Served own = new Served();
    UnicastRemoteObject.exportObject(own, 0);
    server.keep(own);
    Entry held = server.make();
    System.out.println("held " + held.ping());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      System.out.println("ping " + pinged(held) + (own.unreferenced ? ", unreferenced" : ""));
    }
    System.exit(0);
  }
}
