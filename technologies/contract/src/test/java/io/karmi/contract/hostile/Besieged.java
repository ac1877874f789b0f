package io.karmi.contract.hostile;

import com.sun.management.UnixOperatingSystemMXBean;
import io.karmi.id.TechnologyId;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Messaging;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/**
 * The node that is attacked: a registry, an object, and answers on standard input about how it is.
 *
 * <p>It prints {@code port N}, {@code object N}, {@code way TECHNOLOGY ADDRESS} and {@code logins
 * N}, the number of the object of a JMX connector server; asked for {@code state} it prints {@code
 * state} and the numbers of a {@link State}.
 */
public final class Besieged {
  /** Remote interfaces that everybody has. */
  static final List<String> INTERFACES =
      List.of(
          Service.class.getName(),
          One.class.getName(),
          Two.class.getName(),
          Three.class.getName(),
          Four.class.getName(),
          Five.class.getName(),
          Six.class.getName(),
          "java.rmi.registry.Registry");

  /**
   * Beginning of a request for bytes, of one that is answered by a future, and of one for objects.
   */
  private static final String BYTES = "bytes ";

  private static final String LATER = "later ";
  private static final String NUMBERS = "numbers ";

  /** The one thread that completes futures. */
  private static final Executor LOOP =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread loop = new Thread(work, "loop");
            loop.setDaemon(true);
            return loop;
          });

  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final AtomicInteger GADGETS = new AtomicInteger();
  private static final Service SERVED = new Served();

  private Besieged() {}

  /** The remote interface of the object that is served. */
  public interface Service extends Remote {
    /** The sum. */
    int add(int one, int other) throws RemoteException;

    /** What it gets. */
    Object echo(Object value) throws RemoteException;

    /** What it gets. */
    String text(String value) throws RemoteException;

    /** As many bytes as asked for. */
    byte[] bytes(int count) throws RemoteException;
  }

  /** One more interface. */
  public interface One extends Remote {}

  /** One more interface. */
  public interface Two extends Remote {}

  /** One more interface. */
  public interface Three extends Remote {}

  /** One more interface. */
  public interface Four extends Remote {}

  /** One more interface. */
  public interface Five extends Remote {}

  /** One more interface. */
  public interface Six extends Remote {}

  /** A class that the node must not read where no object is expected. */
  public static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      GADGETS.incrementAndGet();
    }
  }

  /** A class of the program that does not come back when it is read, whatever is done. */
  public static final class Endless implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      while (true) {
        LockSupport.park();
        Thread.interrupted();
      }
    }
  }

  /** A class of the program that parks while it is read, and goes on after ten seconds. */
  public static final class Parked implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      for (long left = SLOW_NANOS, end = System.nanoTime() + left; left > 0; ) {
        LockSupport.parkNanos(left);
        Thread.interrupted();
        left = end - System.nanoTime();
      }
    }
  }

  /** A class of the program that sleeps while it is read, and goes on after ten seconds. */
  public static final class Asleep implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      long end = System.nanoTime() + SLOW_NANOS;
      for (long left = SLOW_NANOS; left > 0; left = end - System.nanoTime()) {
        try {
          TimeUnit.NANOSECONDS.sleep(left);
        } catch (InterruptedException e) {
          continue; // as a program may do
        }
      }
    }
  }

  private static final class Served implements Service {
    @Override
    public int add(int one, int other) {
      return one + other;
    }

    @Override
    public Object echo(Object value) {
      return value;
    }

    @Override
    public String text(String value) {
      return value;
    }

    @Override
    public byte[] bytes(int count) {
      return new byte[count];
    }
  }

  /**
   * What an attack must not change.
   *
   * @param heapBytes after a collection
   * @param threads that are alive
   * @param descriptors that are open, or 0 where the system does not tell
   * @param gadgets how often a gadget has run
   */
  public record State(long heapBytes, int threads, long descriptors, int gadgets) {
    /** Reads what is printed behind {@code state}. */
    public static State parse(String line) {
      String[] numbers = line.trim().split(" ");
      return new State(
          Long.parseLong(numbers[0]),
          Integer.parseInt(numbers[1]),
          Long.parseLong(numbers[2]),
          Integer.parseInt(numbers[3]));
    }

    static State now() {
      System.gc();
      OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
      return new State(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
          ManagementFactory.getThreadMXBean().getThreadCount(),
          system instanceof UnixOperatingSystemMXBean unix ? unix.getOpenFileDescriptorCount() : 0,
          GADGETS.get());
    }

    private String print() {
      return "state " + heapBytes + " " + threads + " " + descriptors + " " + gadgets;
    }
  }

  /** Starts a JMX connector server that lets no one in; the number of its object. */
  private static long connectorServer(int port) throws Exception {
    JMXAuthenticator none =
        credentials -> {
          throw new SecurityException("not let in");
        };
    JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:karmi://127.0.0.1:" + port + "/beans"),
            Map.of(JMXConnectorServer.AUTHENTICATOR, none),
            ManagementFactory.getPlatformMBeanServer())
        .start();
    Remote server = LocateRegistry.getRegistry(port).lookup("beans");
    return ((ClientRef) ((RemoteObject) server).getRef()).id().number();
  }

  /** What it gets; as many bytes or numbers as that asks for, at once or by a future. */
  private static Object answer(String text) {
    if (text.startsWith(NUMBERS)) {
      int count = Integer.parseInt(text.substring(NUMBERS.length()));
      return IntStream.range(1_000, 1_000 + count)
          .boxed()
          .collect(Collectors.toCollection(ArrayList::new));
    }
    if (text.startsWith(BYTES)) {
      return new byte[Integer.parseInt(text.substring(BYTES.length()))];
    }
    return text.startsWith(LATER)
        ? CompletableFuture.supplyAsync(() -> answer(text.substring(LATER.length())), LOOP)
        : text;
  }

  /** Serves until its standard input ends. */
  public static void main(String[] arguments) throws Exception {
    int port = FreePort.any();
    LocateRegistry.createRegistry(port);
    UnicastRemoteObject.exportObject(SERVED, port);
    ServerRef entry = Objects.requireNonNull(Node.current().exported(SERVED));
    Messaging.ofThisNode().answer(String.class, (text, from) -> answer(text));
    Messaging.ofThisNode().answer(Object[].class, (objects, from) -> objects);
    System.out.println("port " + port);
    System.out.println("object " + entry.id().number());
    for (int i = 0; i < entry.id().technologyCount(); i++) {
      TechnologyId way = entry.id().technology(i);
      System.out.println("way " + way.technology() + " " + way.address());
    }
    System.out.println("logins " + connectorServer(port));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(State.now().print());
    }
    System.exit(0);
  }
}
