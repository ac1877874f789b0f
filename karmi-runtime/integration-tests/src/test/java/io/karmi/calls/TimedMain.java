package io.karmi.calls;

import io.karmi.Karmi;
import io.karmi.kit.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import io.karmi.technology.CallDeadline;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.rmi.AlreadyBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A JVM that serves: {@code serve}; one that calls: {@code call <port> <millis>}; one that calls,
 * is called back and hands references to and fro: {@code exchange <port>}; one whose callers can be
 * interrupted: {@code abandon <port>}; one that calls by way of another: {@code chain <port>
 * <port>}; or one that is called back with many bytes: {@code feed <port>}.
 */
public final class TimedMain extends UnicastRemoteObject implements Timed {
  private static final long serialVersionUID = 1;

  private static final long LONG_MILLIS = 60_000;

  /** More than a network takes for a process that reads nothing. */
  private static final int MANY_BYTES = 48 << 20;

  private static final CountDownLatch FED = new CountDownLatch(1);

  /** Open as soon as those who sleep are told to wake up. */
  private static final CountDownLatch AWAKE = new CountDownLatch(1);

  /** Else a reply may come before its caller looks whether its time is over. */
  private static final long LATE_NANOS = 5_000_000_000L;

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
    Registry registry = registryAt(args[1]);
    Timed timed = (Timed) registry.lookup("timed");
    if (args[0].equals("exchange")) {
      exchange(registry, timed);
      System.exit(0);
    } else if (args[0].equals("abandon")) {
      abandon(timed);
    } else if (args[0].equals("feed")) {
      timed.feed(new TimedMain(), MANY_BYTES);
    } else if (args[0].equals("chain")) {
      timed.relayInterruptibly((Timed) registryAt(args[2]).lookup("timed"), LONG_MILLIS);
    }
    try {
      print("slept " + timed.sleep(Long.parseLong(args[2])));
    } catch (RemoteException e) {
      print(e.getClass().getSimpleName() + " " + e.getMessage());
    }
    print("echo " + timed.echo(7));
  }

  private static Registry registryAt(String port) throws RemoteException {
    return LocateRegistry.getRegistry("localhost", Integer.parseInt(port));
  }

  /** Calls a method that asks to be interrupted and one that does not, until it is killed. */
  private static void abandon(Timed timed) throws Exception {
    Thread deaf = caller("deaf", () -> timed.sleep(LONG_MILLIS));
    Thread light = caller("light", () -> timed.sleepInterruptibly(LONG_MILLIS));
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals("interrupt")) {
        deaf.interrupt();
        light.interrupt();
      }
    }
  }

  private static Thread caller(String name, Callable<Integer> call) {
    Thread thread =
        new Thread(
            () -> {
              try {
                print(name + " returned " + call.call());
              } catch (Exception e) {
                print(name + " failed " + e.getClass().getSimpleName());
              }
            });
    thread.start();
    return thread;
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

  /**
   * Shuts down, wakes sleepers and ends when it is told to; without standard input it serves until
   * it is killed.
   */
  private static void obey() throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.startsWith("shutdown ")) {
        print("ends");
        long millis = Long.parseLong(line.substring("shutdown ".length()));
        caller("shutdown", () -> shutDown(millis));
      } else if (line.equals("awake")) {
        AWAKE.countDown();
      } else if (line.equals("feed")) {
        FED.countDown();
      } else if (line.equals("exit")) {
        System.exit(0);
      }
    }
    Thread.sleep(Long.MAX_VALUE);
  }

  private static int shutDown(long millis) throws InterruptedException {
    print("in time " + Karmi.shutdown(Duration.ofMillis(millis)));
    return 0;
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
      AWAKE.await(millis, TimeUnit.MILLISECONDS);
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
            AWAKE.await(millis, TimeUnit.MILLISECONDS);
            print("was left alone");
            return 2;
          });
    } catch (InterruptedException e) {
      print("was interrupted " + Thread.currentThread().isInterrupted());
      parkFor(LATE_NANOS);
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
      parkFor(LATE_NANOS);
      return 4;
    }
  }

  @Override
  public CompletableFuture<Integer> sleepOnMeanwhile(long millis) {
    return CompletableFuture.completedFuture(sleep(millis));
  }

  @Override
  public int relayInterruptibly(Timed next, long millis) {
    try {
      return Karmi.interruptible(() -> next.sleepInterruptibly(millis));
    } catch (RemoteException e) {
      print("gave up " + e.getClass().getSimpleName());
      parkFor(LATE_NANOS);
      return 5;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int take(byte[] bytes) {
    print("has taken " + bytes.length);
    return bytes.length;
  }

  @Override
  public CompletableFuture<Integer> takeMeanwhile(byte[] bytes) {
    return CompletableFuture.completedFuture(take(bytes));
  }

  @Override
  public int feed(Timed taker, int bytes) {
    print("feeds");
    try {
      FED.await();
      print("fed " + taker.take(new byte[bytes]));
    } catch (RemoteException e) {
      print("not fed " + e.getClass().getSimpleName() + " " + e.getMessage());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return bytes;
  }

  @Override
  public long left() {
    CallDeadline deadline = CallDeadline.current();
    return deadline == null ? -1 : deadline.leftMillis();
  }

  @Override
  public CompletableFuture<Long> leftMeanwhile() {
    return CompletableFuture.completedFuture(left());
  }

  @Override
  public long[] relayLeft(Timed next, long pauseMillis) {
    long own = left();
    parkFor(pauseMillis * 1_000_000);
    try {
      long inherited = next.left();
      return new long[] {own, inherited, next.leftMeanwhile().get()};
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
