package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A peer that answers each call back by a call, within each other and without end: it is refused
 * where the stack of the thread that serves it ends, and the node goes on as before.
 */
public class EndlessCallBacksTest {
  private static final int ENOUGH = 100;
  private static final int ENDLESS = 1_000_000;

  /** What is called back. */
  public interface Back extends Remote {
    /** As deep as asked for. */
    int back(int depth) throws RemoteException;
  }

  /** What is called. */
  public interface Service extends Remote {
    /** Calls back. */
    int call(Back client, int depth) throws RemoteException;

    /** Throws. */
    void fail() throws RemoteException;
  }

  private static final class Served implements Service {
    @Override
    public int call(Back client, int depth) throws RemoteException {
      return client.back(depth);
    }

    @Override
    public void fail() {
      throw new IllegalStateException("as always");
    }
  }

  private final class Client implements Back {
    @Override
    public int back(int depth) throws RemoteException {
      if (depth == 0) {
        return last.getAsInt();
      }
      try {
        return 1 + service.call(this, depth - 1);
      } catch (RemoteException e) {
        refusal = e; // to throw it would send the traces of each stack again at each depth
        return 0;
      }
    }
  }

  /** The node that is called. */
  public static final class Main {
    private static final Service SERVED = new Served();

    private Main() {}

    /** Serves until its standard input ends. */
    public static void main(String[] arguments) throws Exception {
      int port = FreePort.any();
      LocateRegistry.createRegistry(port)
          .rebind("service", UnicastRemoteObject.exportObject(SERVED, port));
      System.out.println("port " + port);
      while (System.in.read() >= 0) {
        continue;
      }
      System.exit(0);
    }
  }

  private final Client client = new Client();
  private Jvm node;
  private Service service;
  private volatile RemoteException refusal;
  private volatile IntSupplier last = () -> 0;

  @Before
  public void export() throws Exception {
    UnicastRemoteObject.exportObject(client, 0);
  }

  private void start(String option) throws Exception {
    node = Jvm.start("-Dkarmi.technologies=tcp", option, Main.class.getName());
    int port = Integer.parseInt(node.awaitLine("port "));
    service = (Service) LocateRegistry.getRegistry(port).lookup("service");
  }

  @After
  public void end() throws Exception {
    UnicastRemoteObject.unexportObject(client, true);
    if (node != null) {
      node.close();
    }
  }

  /** Calls in a thread whose own stack is long. */
  private int nested(int depth) throws Exception {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Runnable calls =
        () -> {
          try {
            result.complete(service.call(client, depth));
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        };
    Thread caller = new Thread(null, calls, "caller", 1L << 30);
    caller.setDaemon(true);
    caller.start();
    try {
      return result.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  public void callsBackThatDoNotEndAreRefusedAndTheNodeGoesOn() throws Exception {
    start("-Dkarmi.virtualThreads=false");
    assertRefusedAndGoesOn();
  }

  /** Their stacks are in the heap, and have no end of their own. */
  @Test
  public void callsBackThatDoNotEndAreRefusedOnVirtualThreads() throws Exception {
    start("-Dkarmi.virtualThreads=true");
    assertRefusedAndGoesOn();
  }

  @Test
  public void exceptionThroughManyCallsBackHasTheFramesOfEachOnce() throws Exception {
    start("-Dkarmi.virtualThreads=false");
    assertFramesOfEachOnce();
  }

  @Test
  public void exceptionThroughManyCallsOfTheOwnNodeHasTheFramesOfEachOnce() throws Exception {
    Served served = new Served();
    service = (Service) UnicastRemoteObject.exportObject(served, 0);
    try {
      assertFramesOfEachOnce();
    } finally {
      UnicastRemoteObject.unexportObject(served, true);
    }
  }

  private void assertFramesOfEachOnce() {
    last =
        () -> {
          throw new IllegalStateException("at the end");
        };
    assertThatThrownBy(() -> nested(ENOUGH))
        .hasMessage("at the end")
        .satisfies(
            e -> {
              assertThat(framesOf(e, Client.class)).isEqualTo(ENOUGH + 1);
              assertThat(framesOf(e, Served.class)).isEqualTo(ENOUGH + 1);
            });
  }

  private static long framesOf(Throwable thrown, Class<?> type) {
    return Arrays.stream(thrown.getStackTrace())
        .filter(frame -> frame.getClassName().equals(type.getName()))
        .count();
  }

  private void assertRefusedAndGoesOn() throws Exception {
    for (int i = 0; i < 3; i++) {
      refusal = null;
      assertThat(nested(ENDLESS)).isGreaterThan(ENOUGH);
      assertThat(refusal)
          .isInstanceOf(ServerError.class)
          .rootCause()
          .isInstanceOf(StackOverflowError.class)
          .hasMessageContaining("no room for");
    }
    assertThatThrownBy(() -> service.fail()).hasMessage("as always");
    assertThat(nested(ENOUGH)).isEqualTo(ENOUGH);
    assertThat(node.lines()).noneMatch(line -> line.contains("Error"));
  }
}
