package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.Karmi;
import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import io.karmi.technology.CallDeadline;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Replies whose reading does not come back: a deadline ends the call nevertheless. */
public class StuckReplyTest {
  /** Longer than a process stands still on a busy machine: what can be read comes in time. */
  private static final Duration LIMIT = Duration.ofSeconds(4);

  /** What is called. */
  public interface Trap extends Remote {
    /** Returns what is never read to its end, or the text. */
    Object get(boolean trap) throws RemoteException;

    /** Throws what is never read to its end. */
    void fail() throws RemoteException;

    /** As {@link #get}. */
    CompletableFuture<Object> later(boolean trap) throws RemoteException;

    /** Returns what tells if its reader knows of a deadline. */
    CompletableFuture<Timed> timed() throws RemoteException;
  }

  /** Parks whoever reads it, for ever. */
  public static final class Endless implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) {
      while (true) {
        LockSupport.park();
        Thread.interrupted();
      }
    }
  }

  private static final class EndlessException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Endless content = new Endless();

    @Override
    public String toString() {
      return "with " + content;
    }
  }

  /** Notes whether whoever reads it knows of a deadline. */
  public static final class Timed implements Serializable {
    private static final long serialVersionUID = 1;
    private transient boolean limited;

    private void readObject(ObjectInputStream in) {
      limited = CallDeadline.current() != null;
    }
  }

  private static final class Served implements Trap {
    @Override
    public Object get(boolean trap) {
      return trap ? new Endless() : "text";
    }

    @Override
    public CompletableFuture<Timed> timed() {
      return CompletableFuture.completedFuture(new Timed());
    }

    @Override
    public void fail() {
      throw new EndlessException();
    }

    @Override
    public CompletableFuture<Object> later(boolean trap) {
      return CompletableFuture.completedFuture(get(trap));
    }
  }

  /** The callee. */
  public static final class Server {
    private static final Served SERVED = new Served();

    private Server() {}

    /** Serves until its standard input ends. */
    public static void main(String[] arguments) throws Exception {
      int port = FreePort.any();
      UnicastRemoteObject.exportObject(SERVED, port);
      LocateRegistry.createRegistry(port).bind("trap", SERVED);
      System.out.println("port " + port);
      while (System.in.read() >= 0) {
        continue;
      }
      System.exit(0);
    }
  }

  private Jvm server;
  private Trap trap;

  @Before
  public void start() throws Exception {
    server = Jvm.start(Server.class.getName());
    int port = Integer.parseInt(server.awaitLine("port "));
    trap = (Trap) LocateRegistry.getRegistry("127.0.0.1", port).lookup("trap");
    assertThat(trap.get(false)).isEqualTo("text");
  }

  @After
  public void end() {
    server.close();
  }

  private static void assertEndsInTime(Callable<?> call) {
    long begin = System.nanoTime();
    assertThatThrownBy(() -> Karmi.withDeadline(LIMIT, call::call))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining("deadline of 4000 ms (Karmi.withDeadline) has passed")
        .hasMessageContaining("may have been executed");
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertThat(millis).isBetween(4000L, 20_000L);
  }

  @Test
  public void deadlineEndsACallWhoseResultIsNotReadToItsEnd() throws Exception {
    assertEndsInTime(() -> trap.get(true));
    assertThat(Karmi.withDeadline(LIMIT, () -> trap.get(false))).isEqualTo("text");
    Deadline.await(
        "the thread is counted", () -> Node.current().counters().get("threadsStuck") >= 1);
  }

  @Test
  public void deadlineEndsACallWhoseExceptionIsNotReadToItsEnd() {
    assertEndsInTime(
        () -> {
          trap.fail();
          return null;
        });
  }

  @Test
  public void deadlineEndsAFutureWhoseResultIsNotReadToItsEnd() throws Exception {
    CompletableFuture<Object> future = Karmi.withDeadline(LIMIT, () -> trap.later(true));
    assertThatThrownBy(() -> future.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(UnmarshalException.class)
        .hasMessageContaining("has passed");
    assertThat(Karmi.withDeadline(LIMIT, () -> trap.later(false)).get()).isEqualTo("text");
  }

  @Test
  public void whatIsDoneWhileTheResultOfAFutureIsReadEndsWithItsDeadline() throws Exception {
    Timed result = Karmi.withDeadline(Duration.ofMinutes(1), trap::timed).get(60, TimeUnit.SECONDS);
    assertThat(result.limited).isTrue();
  }
}
