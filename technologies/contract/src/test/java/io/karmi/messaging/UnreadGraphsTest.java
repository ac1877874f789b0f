package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledgers;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What graphs take that a program does not read is counted, over messages and over a socket. */
@RunWith(Parameterized.class)
public class UnreadGraphsTest {
  private static final int MEGABYTE = 1 << 20;

  /** Bytes that all messages and graphs together may take in the JVM of the bound. */
  private static final int MOST_BYTES = 24 * MEGABYTE;

  private static final int CHANNELS = 6;

  /** Graphs that are written to each channel, and not read: somewhat less than its window. */
  private static final int GRAPHS = 4;

  /** The ways. */
  @Parameters(name = "{0}")
  public static List<String> ways() {
    return List.of("messages", "socket");
  }

  @Rule public final Timeout limit = Timeout.seconds(150);

  private final String way;

  public UnreadGraphsTest(String way) {
    this.way = way;
  }

  /** Two nodes, or a port, between which channels are opened. */
  private static final class Ends implements AutoCloseable {
    private final boolean messages;
    private final TestHost a = new TestHost(Map.of());
    private final TestHost b = new TestHost(Map.of());
    private final ServerSocket server;
    private final BlockingQueue<ObjectChannel> taken = new LinkedBlockingQueue<>();

    Ends(String way) throws IOException {
      messages = way.equals("messages");
      server = new ServerSocket(0, CHANNELS, InetAddress.getLoopbackAddress());
      b.messaging.onChannel("graphs", taken::add);
    }

    /** A channel; {@link #other} is its other end. */
    ObjectChannel open() throws IOException {
      if (messages) {
        return a.messaging.openChannel(b.messaging.address(), "graphs");
      }
      Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
      taken.add(ObjectChannel.over(server.accept()));
      return ObjectChannel.over(socket);
    }

    ObjectChannel other() throws InterruptedException {
      return taken.take();
    }

    @Override
    public void close() throws IOException {
      a.messaging.close();
      b.messaging.close();
      server.close();
    }
  }

  /** A graph of some 60 bytes for each kilobyte that its objects take. */
  private static List<Object> graph(int megabytes) {
    List<Object> graph = new ArrayList<>();
    for (int i = 0; i < megabytes * 20_000; i++) {
      graph.add(new HashMap<>());
    }
    return graph;
  }

  @Test
  public void theObjectsOfAGraphCountUntilItIsRead() throws Exception {
    try (Ends ends = new Ends(way);
        ObjectChannel channel = ends.open()) {
      ObjectChannel other = ends.other();
      long before = Ledgers.messages().taken();
      channel.write("small ones are free");
      assertThat(Ledgers.messages().taken()).isEqualTo(before);
      channel.write(graph(4));
      assertThat(Ledgers.messages().taken() - before).isBetween(3L * MEGABYTE, 20L * MEGABYTE);
      other.read();
      other.read();
      awaitTaken(before);
      channel.write(graph(4));
      other.close();
      awaitTaken(before);
    }
  }

  private static void awaitTaken(long bytes) throws InterruptedException {
    Deadline.await("all is given back", () -> Ledgers.messages().taken() == bytes);
  }

  @Test
  public void aChannelThatIsForgottenIsCollectedAndItsGraphsCountNoMore() throws Exception {
    try (Ends ends = new Ends(way)) {
      long before = Ledgers.messages().taken();
      WeakReference<ObjectChannel> forgotten = forget(ends);
      assertThat(Ledgers.messages().taken()).isGreaterThan(before + 3L * MEGABYTE);
      Deadline.await(
          "the account is closed",
          () -> {
            System.gc();
            return forgotten.get() == null && Ledgers.messages().taken() == before;
          });
    }
  }

  /** What its exception refers to is what has come. */
  private static final class Keeping implements Serializable {
    private static final long serialVersionUID = 1;

    private static volatile WeakReference<Object> come = new WeakReference<>(null);

    private final byte[] content = new byte[MEGABYTE];

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      come = new WeakReference<>(content);
      throw new KeepingException(content);
    }
  }

  private static final class KeepingException extends InvalidObjectException {
    private static final long serialVersionUID = 1;

    private final transient Object content;

    KeepingException(Object content) {
      super("it keeps what has come");
      this.content = content;
    }

    @Override
    public String toString() {
      return getMessage() + " " + (content == null);
    }
  }

  @Test
  public void whyALargeGraphCannotBeReadIsToldAndKeepsNothingOfItUntilThen() throws Exception {
    try (Ends ends = new Ends(way);
        ObjectChannel channel = ends.open()) {
      ObjectChannel other = ends.other();
      assertThatThrownBy(() -> channel.write(new Keeping()))
          .isInstanceOf(UnmarshalException.class)
          .hasMessageContaining("it keeps what has come");
      channel.write("after");
      Deadline.await(
          "the content is collected",
          () -> {
            System.gc();
            return Keeping.come.get() == null;
          });
      assertThatThrownBy(other::read)
          .isInstanceOf(UnmarshalException.class)
          .hasStackTraceContaining("it keeps what has come");
      assertThat(other.read()).isEqualTo("after");
    }
  }

  private static WeakReference<ObjectChannel> forget(Ends ends) throws Exception {
    ObjectChannel channel = ends.open();
    channel.write(graph(4));
    ObjectChannel other = ends.other();
    channel.close();
    return new WeakReference<>(other);
  }

  @Test
  public void graphsOfManyChannelsStayWithinTheLedgerAndTheNextChannelIsServed() throws Exception {
    try (Jvm jvm =
        Jvm.start(
            "-Xmx256m",
            "-Dkarmi.maxUnfinishedBytes=" + MOST_BYTES,
            Unreading.class.getName(),
            way)) {
      jvm.awaitLine("served");
      String most = jvm.linesWith("most ").get(0);
      assertThat(Long.parseLong(most.substring("most ".length())))
          .isBetween((long) MOST_BYTES / 2, (long) MOST_BYTES);
      assertThat(jvm.linesWith("lost ").get(0)).contains("karmi.maxUnfinishedBytes");
    }
  }

  /** Opens channels and writes graphs to them that are not read, and to the last one that are. */
  static final class Unreading {
    private Unreading() {}

    public static void main(String[] arguments) throws Exception {
      Ends ends = new Ends(arguments[0]);
      long most = 0;
      List<ObjectChannel> unread = new ArrayList<>();
      for (int i = 0; i < CHANNELS; i++) {
        ObjectChannel channel = ends.open();
        unread.add(ends.other());
        for (int j = 0; j < GRAPHS; j++) {
          try {
            channel.write(graph(2));
          } catch (IOException e) { // the graph has no room, or the channel has given way
            System.out.println("refused " + e);
          }
          most = Math.max(most, Ledgers.messages().taken());
        }
      }
      System.out.println("most " + most);
      tellLosses(unread);
      while (!isServed(ends)) {
        System.out.println("again");
      }
      System.out.println("served");
    }

    /** False if the graph was the slowest of all, as one is whose reader gets no processor. */
    private static boolean isServed(Ends ends) throws Exception {
      try (ObjectChannel next = ends.open();
          ObjectChannel other = ends.other()) {
        next.write(graph(2));
        other.read();
        return true;
      } catch (UnmarshalException e) {
        return false;
      }
    }

    private static void tellLosses(List<ObjectChannel> unread) throws Exception {
      for (ObjectChannel each : unread) {
        try {
          each.isReadable();
        } catch (LinkLostException e) {
          System.out.println("lost " + e.getMessage());
        }
      }
    }
  }
}
