package io.karmi.calls;

import io.karmi.Karmi;
import io.karmi.contract.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.rmi.AlreadyBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * A JVM that serves: {@code serve}; one that calls: {@code call <port> <millis>}; or one that
 * calls, is called back and hands references to and fro: {@code exchange <port>}.
 */
public final class TimedMain extends UnicastRemoteObject implements Timed {
  private static final long serialVersionUID = 1;

  private TimedMain() throws RemoteException {}

  /** Serves until it is killed, or calls once. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("serve")) {
      int port = FreePort.any();
      LocateRegistry.createRegistry(port).bind("timed", new TimedMain());
      print("port " + port);
      obey();
      return;
    }
    Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[1]));
    Timed timed = (Timed) registry.lookup("timed");
    if (args[0].equals("exchange")) {
      exchange(registry, timed);
      System.exit(0);
    }
    try {
      print("slept " + timed.sleep(Long.parseLong(args[2])));
    } catch (RemoteException e) {
      print(e.getClass().getSimpleName() + " " + e.getMessage());
    }
    print("echo " + timed.echo(7));
  }

  private static void exchange(Registry registry, Timed timed) throws Exception {
    Timed own = new TimedMain();
    print("called back " + timed.relay(own, 1));
    print("given its own " + timed.relay(timed, 1));
    registry.bind("own", own);
    print("given back " + ((Timed) registry.lookup("own")).echo(8));
    print("later " + timed.sleepMeanwhile(1).get());
    try {
      registry.bind("own", timed);
    } catch (AlreadyBoundException e) {
      print("thrown " + e.getMessage());
    }
    registry.rebind("own", timed);
    print("equal " + registry.lookup("own").equals(timed));
  }

  /** Shuts down when it is told to; without standard input it serves until it is killed. */
  private static void obey() throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.startsWith("shutdown ")) {
        print("ends");
        long millis = Long.parseLong(line.substring("shutdown ".length()));
        print("in time " + Karmi.shutdown(Duration.ofMillis(millis)));
      } else if (line.equals("exit")) {
        System.exit(0);
      }
    }
    Thread.sleep(Long.MAX_VALUE);
  }

  static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  @Override
  public int echo(int number) {
    return number;
  }

  @Override
  public int sleep(long millis) {
    print("sleeps");
    try {
      Thread.sleep(millis);
      print("has slept");
    } catch (InterruptedException e) {
      print("was disturbed");
    }
    return 1;
  }

  @Override
  public int sleepInterruptibly(long millis) {
    print("sleeps lightly");
    try {
      return Karmi.interruptible(
          () -> {
            Karmi.interruptible(() -> 0); // one inside another ends nothing
            Thread.sleep(millis);
            print("was left alone");
            return 2;
          });
    } catch (InterruptedException e) {
      print("was interrupted " + Thread.currentThread().isInterrupted());
      parkFor(5_000_000_000L); // else the reply may come before the caller looks
      return 3;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The interrupt itself ends the first park. */
  private static void parkFor(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public CompletableFuture<Integer> sleepMeanwhile(long millis) {
    return CompletableFuture.completedFuture(sleepInterruptibly(millis));
  }

  @Override
  public int relay(Timed next, long millis) {
    try {
      return next.sleep(millis);
    } catch (RemoteException e) {
      print("relayed " + e.getMessage());
      return 4;
    }
  }
}
