package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.messaging.MessagesServer.Due;
import io.karmi.benchmarks.messaging.MessagesServer.Echo;
import io.karmi.benchmarks.messaging.MessagesServer.HowLate;
import io.karmi.benchmarks.messaging.MessagesServer.HowLong;
import io.karmi.benchmarks.messaging.MessagesServer.HowMany;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.LocateRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.util.concurrent.atomic.LongAdder;

/**
 * The JVM that sends. Arguments: {@code raw}, {@code raw-kept}, {@code netty}, {@code aeron},
 * {@code ping} or {@code messages}, and the server's port; or {@code aeron-ipc} and its driver's
 * folder; or {@code loopback} and a number of nodes, which are all in this JVM. It reads lines of a
 * kernel and milliseconds, and answers each with a measurement, or with {@code none} where the
 * kernel makes no sense.
 */
public final class MessagesClient {
  /** The kind of stacks whose nodes are all in one JVM. */
  static final String LOOPBACK = "loopback";

  /** Answer to a kernel that makes no sense on the stack. */
  static final String NONE = "none";

  /** To how many others each of many nodes sends. */
  private static final int PEERS_OF_EACH = 4;

  private MessagesClient() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    MessageSender sender = sender(args[0], args[1]);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      MessageKernel kernel = MessageKernel.valueOf(words[0]);
      System.out.println(
          sender.runs(kernel) ? kernel.run(sender, Long.parseLong(words[1])).toLine() : NONE);
    }
    System.exit(0);
  }

  private static MessageSender sender(String kind, String where) throws Exception {
    if (kind.equals(MessagesServer.AERON_IPC)) {
      return AeronPeer.ipc(where);
    }
    int port = Integer.parseInt(where); // or how many nodes
    return switch (kind) {
      case "raw", MessagesServer.KEPT -> new RawSender(port);
      case "netty" -> new NettyPeer(port);
      case "aeron" -> AeronPeer.udp(port);
      case "ping" -> new Calls(called(port));
      case LOOPBACK -> port == 2 ? MemoryNodes.two() : MemoryNodes.many(port, PEERS_OF_EACH);
      default -> new Messages(Address.of(called(port)));
    };
  }

  private static Called called(int port) throws RemoteException, NotBoundException {
    return (Called) LocateRegistry.getRegistry("127.0.0.1", port).lookup("called");
  }

  /** KaRMI's messages. */
  private static final class Messages implements MessageSender {
    private final Messaging messaging = Messaging.ofThisNode();
    private final Address to;
    private final Contents contents = new Contents();

    Messages(Address to) {
      this.to = to;
    }

    @Override
    public void send(int bytes) throws IOException {
      messaging.send(contents.message(bytes), to);
    }

    @Override
    public void sendDue(long dueNanos) throws IOException {
      messaging.send(new Due(dueNanos, new byte[MessageKernel.PACED.bytes - Long.BYTES]), to);
    }

    @Override
    public long delayNanos(int perMille) throws IOException {
      return (Long) answer(new HowLate(perMille));
    }

    @Override
    public void request(int bytes) throws IOException {
      answer(new Echo(new byte[bytes]));
    }

    @Override
    public long arrived() throws IOException {
      return (Long) answer(new HowMany());
    }

    @Override
    public long cpuNanosThere() throws IOException {
      return (Long) answer(new HowLong());
    }

    private Object answer(Serializable question) throws IOException {
      return MemoryNodes.answer(messaging, question, to);
    }
  }

  /** KaRMI's calls, which return what they are given. */
  private static final class Calls implements MessageSender {
    private final Called called;
    private final Contents contents = new Contents();
    private final LongAdder done = new LongAdder();

    Calls(Called called) {
      this.called = called;
    }

    @Override
    public boolean runs(MessageKernel kernel) {
      return kernel != MessageKernel.FOUR_INTS
          && kernel.ordinal() < MessageKernel.REQUEST_AMONG_LARGE.ordinal();
    }

    @Override
    public void send(int bytes) throws IOException {
      called.ping(contents.ofLength(bytes).content());
      done.increment();
    }

    @Override
    public void request(int bytes) throws IOException {
      called.ping(contents.ofLength(bytes).content());
    }

    @Override
    public long arrived() {
      return done.sum();
    }
  }
}
