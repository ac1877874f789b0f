package io.karmi.difference.programs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an operator turns on: loggers of calls, exceptions, an interval. */
public final class Switches implements Program {
  private static final String GC_MILLIS = "500";
  private static final long DEADLINE_SECONDS = 30;
  private static final Pattern METHOD = Pattern.compile("[: .](half|fresh|nextLeft)\\(");

  /** Shows what its own end has written. */
  public interface Desk extends Remote {
    int half(int number) throws RemoteException;

    Remote fresh() throws RemoteException;

    boolean nextLeft() throws RemoteException;

    /** Lets the server log its calls from now on. */
    void turnOn() throws RemoteException;

    /** Whether an earlier call of this was logged. */
    boolean probe() throws RemoteException;

    String logged() throws RemoteException;

    String printed() throws RemoteException;
  }

  static final class DeskObject implements Desk {
    private final Records records;
    private final ByteArrayOutputStream printed;
    private final CountDownLatch left = new CountDownLatch(1);

    DeskObject(Records records, ByteArrayOutputStream printed) {
      this.records = records;
      this.printed = printed;
    }

    @Override
    public int half(int number) {
      if (number % 2 != 0) {
        throw new IllegalArgumentException(number + " is odd");
      }
      return number / 2;
    }

    @Override
    public Remote fresh() throws RemoteException {
      Guest guest = new GuestObject(left);
      UnicastRemoteObject.exportObject(guest, 0);
      return guest;
    }

    @Override
    public boolean nextLeft() throws RemoteException {
      try {
        return left.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
    }

    @Override
    public void turnOn() {
      calls.setLevel(Level.FINER);
    }

    @Override
    public boolean probe() {
      return records.probed;
    }

    @Override
    public String logged() {
      return String.valueOf(records.seen);
    }

    @Override
    public String printed() {
      return printed.toString(StandardCharsets.UTF_8);
    }
  }

  /** Leaves when nothing refers to it. */
  public interface Guest extends Remote {
    boolean isHere() throws RemoteException;
  }

  static final class GuestObject implements Guest, Unreferenced {
    private final CountDownLatch left;

    GuestObject(CountDownLatch left) {
      this.left = left;
    }

    @Override
    public boolean isHere() {
      return true;
    }

    @Override
    public void unreferenced() {
      left.countDown();
    }
  }

  /** Keeps what was logged of our calls: level, method, and what was thrown. */
  static final class Records extends Handler {
    final Collection<String> seen = new ConcurrentLinkedQueue<>();
    volatile boolean probed;

    @Override
    public void publish(LogRecord record) {
      probed |= record.getMessage().contains("probe(");
      Matcher method = METHOD.matcher(record.getMessage());
      if (method.find()) {
        seen.add(record.getLevel() + " " + method.group(1));
      } else if (record.getThrown() != null) {
        seen.add(record.getLevel() + " " + record.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    Logger handle(String name) {
      Logger logger = Logger.getLogger(name);
      logger.addHandler(this);
      return logger;
    }
  }

  /** Static, so that no collector takes them. */
  private static Desk desk;

  private static Logger calls;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    System.setProperty("sun.rmi.server.exceptionTrace", "true");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    Records records = new Records();
    calls = records.handle("sun.rmi.server.call");
    desk = new DeskObject(records, printed);
    LocateRegistry.createRegistry(port).bind("desk", UnicastRemoteObject.exportObject(desk, 0));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    System.setProperty("sun.rmi.client.logCalls", "true");
    System.setProperty("sun.rmi.dgc.client.gcInterval", GC_MILLIS);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    Records records = new Records();
    calls = records.handle("sun.rmi.client.call");
    Desk found = (Desk) LocateRegistry.getRegistry("localhost", port).lookup("desk");
    observed.accept("turned on: " + turnOn(found));
    observed.accept("even: " + found.half(4));
    observed.accept("odd: " + Observe.outcome(() -> found.half(5)));
    observed.accept("guest: " + ((Guest) found.fresh()).isHere());
    observed.accept("left: " + found.nextLeft());
    observed.accept("logged here: " + records.seen);
    observed.accept("logged there: " + found.logged());
    showPrinted(printed.toString(StandardCharsets.UTF_8), observed);
    showPrinted(found.printed(), observed);
  }

  private static boolean turnOn(Desk found) throws RemoteException {
    found.turnOn();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!found.probe()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private static void showPrinted(String text, Consumer<String> observed) {
    for (String line : text.split("\n")) {
      Matcher method = METHOD.matcher(line);
      if (line.contains("outbound call: ") && method.find()) {
        observed.accept("printed: outbound call of " + method.group(1));
      } else if (line.contains("outbound call received exception: [")) {
        observed.accept("printed: an exception was received");
      } else if (line.matches("Exception dispatching call to \\[.*] in thread \".*\" at .*:\r?")) {
        observed.accept("printed: an exception was dispatched");
      } else if (line.contains("is odd")) {
        observed.accept("printed: " + line.trim());
      }
    }
  }
}
