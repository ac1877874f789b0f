package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.messaging.Messages.Echo;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A node of a cluster in a JVM of its own. Its arguments are its number and the address of its
 * host. It sends to all others, one after the other, or asks them.
 */
public final class ClusterNode implements CommandedJvm.Program {
  /** Bytes of a request, of a value of the store, and of what a plain socket carries. */
  private static final int SMALL_BYTES = 64;

  /** Keys of the store: those of the paper. */
  private static final int KEYS = 100_000;

  /** How many of ten requests of the store's clients read. */
  private static final int READS_OF_TEN = 9;

  /** Longest list of times that a thread keeps; the times after it are not counted. */
  private static final int MAXIMUM_TIMES = 100_000;

  /** Longest time for which the last messages of a round are on their way. */
  private static final int ARRIVAL_SECONDS = 60;

  record Sent(int sender, byte[] content) implements Serializable {}

  record HowMany(int sender) implements Serializable {}

  record Get(int key) implements Serializable {}

  record Put(int key, byte[] value) implements Serializable {}

  private final int number;
  private final InetAddress host;
  private final Calls.Called called = bytes -> bytes;
  private final Messaging messaging = Messaging.ofThisNode();
  private final List<Address> others = new ArrayList<>();
  private final AtomicLongArray arrived = new AtomicLongArray(Namespaces.MAXIMUM);
  private final Map<Integer, byte[]> store = new ConcurrentHashMap<>();
  private long sent;

  private ClusterNode(int number, String host) throws IOException {
    this.number = number;
    this.host = InetAddress.getByName(host);
    messaging.receive(Sent.class, (message, from) -> arrived.incrementAndGet(message.sender()));
    messaging.answer(HowMany.class, (question, from) -> arrived.get(question.sender()));
    messaging.answer(Echo.class, (question, from) -> question);
    messaging.answer(Get.class, (question, from) -> store.get(question.key()));
    messaging.answer(
        Put.class,
        (question, from) -> {
          store.put(question.key(), question.value());
          return true;
        });
  }

  /** Executes commands until its input ends. */
  public static void main(String... arguments) throws Exception {
    CommandedJvm.serve(new ClusterNode(Integer.parseInt(arguments[0]), arguments[1]));
    System.exit(0);
  }

  @Override
  public void prepare(String... words) {
    /* Nothing is to be made. */
  }

  @Override
  public String execute(String... words) throws Exception {
    return switch (words[0]) {
      case "serve" -> serve() + " " + listen();
      case "join" -> join(words[1].split(","));
      case "send" -> send(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      case "ask" ->
          times(
              Integer.parseInt(words[1]),
              Long.parseLong(words[2]),
              turn ->
                  ask(new Echo(new byte[SMALL_BYTES]), others.get((int) (turn % others.size()))));
      case "use" -> times(Integer.parseInt(words[1]), Long.parseLong(words[2]), turn -> useStore());
      case "ping" -> ping(words[1].split(":"), Long.parseLong(words[2]));
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  /** The port of a registry in which the others find this node. */
  private int serve() throws IOException {
    for (int key = 0; key < KEYS && number == 0; key++) {
      store.put(key, new byte[SMALL_BYTES]);
    }
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    LocateRegistry.createRegistry(port)
        .rebind("called", UnicastRemoteObject.exportObject(called, 0));
    return port;
  }

  /** The port of a plain socket that gives back what it gets. */
  private int listen() throws IOException {
    ServerSocket server = new ServerSocket(0, 1, host);
    Thread echo =
        new Thread(
            () -> {
              try (server;
                  Socket socket = server.accept()) {
                socket.setTcpNoDelay(true);
                byte[] bytes = new byte[SMALL_BYTES];
                while (socket.getInputStream().readNBytes(bytes, 0, SMALL_BYTES) == SMALL_BYTES) {
                  socket.getOutputStream().write(bytes);
                }
              } catch (IOException e) {
                e.printStackTrace();
              }
            });
    echo.setDaemon(true);
    echo.start();
    return server.getLocalPort();
  }

  /** Learns of the registries of the others, in the order of their numbers. */
  private String join(String... registries) throws Exception {
    for (String each : registries) {
      String[] parts = each.split(":");
      others.add(
          Address.of(
              (Calls.Called)
                  LocateRegistry.getRegistry(parts[0], Integer.parseInt(parts[1]))
                      .lookup("called")));
    }
    return "joined";
  }

  /** Sends to all others for some time, until all has arrived; how many messages. */
  private String send(int bytes, long millis) throws Exception {
    byte[] content = new byte[bytes];
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long before = sent;
    do {
      for (Address each : others) {
        messaging.send(new Sent(number, content), each);
      }
      sent++;
    } while (System.nanoTime() - end < 0);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ARRIVAL_SECONDS);
    for (Address each : others) {
      while ((Long) ask(new HowMany(number), each) < sent) {
        if (System.nanoTime() - deadline > 0) {
          throw new IOException("not all of " + sent + " messages have come to " + each);
        }
        Thread.sleep(1);
      }
    }
    return Long.toString((sent - before) * others.size());
  }

  private Object ask(Serializable question, Address to) throws IOException {
    return Messages.answer(messaging, question, to);
  }

  private void useStore() throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int key = random.nextInt(KEYS);
    ask(
        random.nextInt(10) < READS_OF_TEN ? new Get(key) : new Put(key, new byte[SMALL_BYTES]),
        others.get(0));
  }

  private interface Step {
    void run(long turn) throws IOException;
  }

  /** Has threads do something for some time: how often, and the median and 99th percentile. */
  private String times(int threads, long millis, Step step) throws Exception {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Callable<long[]> work =
        () -> {
          long[] nanos = new long[MAXIMUM_TIMES];
          int count = 0;
          long last = System.nanoTime();
          do {
            step.run(number + count);
            long now = System.nanoTime();
            nanos[count++] = now - last;
            last = now;
          } while (last - end < 0 && count < nanos.length);
          return Arrays.copyOf(nanos, count);
        };
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      long[] all = {};
      for (Future<long[]> each : executor.invokeAll(Collections.nCopies(threads, work))) {
        long[] more = each.get();
        int length = all.length;
        all = Arrays.copyOf(all, length + more.length);
        System.arraycopy(more, 0, all, length, more.length);
      }
      int count = all.length;
      Percentiles percentiles = Percentiles.of(all, 1);
      return count + " " + (long) percentiles.median() + " " + (long) percentiles.p99();
    } finally {
      executor.shutdownNow();
    }
  }

  /** Sends bytes over a plain socket, and waits for them: how often, and the times. */
  private String ping(String[] to, long millis) throws Exception {
    try (Socket socket = new Socket(to[0], Integer.parseInt(to[1]))) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      byte[] bytes = new byte[SMALL_BYTES];
      return times(
          1,
          millis,
          turn -> {
            out.write(bytes);
            in.readNBytes(bytes, 0, SMALL_BYTES);
          });
    }
  }
}
