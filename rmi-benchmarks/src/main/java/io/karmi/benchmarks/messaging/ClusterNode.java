package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.messaging.MessageKernel.Outcome;
import io.karmi.benchmarks.messaging.MessageKernel.Step;
import io.karmi.benchmarks.messaging.Messages.Echo;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

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

  /** Longest time for which the last messages of a round are on their way. */
  private static final int ARRIVAL_SECONDS = 60;

  record Sent(int sender, byte[] content) implements Serializable {}

  record HowMany(int sender) implements Serializable {}

  record Get(int key) implements Serializable {}

  record Put(int key, byte[] value) implements Serializable {}

  private final int number;
  private final String host;
  private final Messaging messaging = Messaging.ofThisNode();
  private final List<Address> others = new ArrayList<>();
  private final AtomicLongArray arrived = new AtomicLongArray(Namespaces.MAXIMUM);
  private final Map<Integer, byte[]> store = new ConcurrentHashMap<>();
  private @Nullable SocketPeer plain;
  private long sent;

  private ClusterNode(int number, String host) {
    this.number = number;
    this.host = host;
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
  public String execute(String... words) throws Exception {
    return switch (words[0]) {
      case "serve" -> serve();
      case "join" -> join(words[1].split(","));
      case "send" -> send(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      case "ask" -> times(Integer.parseInt(words[1]), words[2], this::askInTurn);
      case "use" -> times(Integer.parseInt(words[1]), words[2], turn -> useStore());
      case "ping" -> {
        SocketPeer peer = plain == null ? new SocketPeer(words[1]) : plain;
        plain = peer;
        yield times(1, words[2], turn -> peer.request(SMALL_BYTES));
      }
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  /** The port of a registry in which the others find this node, and a plain socket. */
  private String serve() throws IOException {
    for (int key = 0; key < KEYS && number == 0; key++) {
      store.put(key, new byte[SMALL_BYTES]);
    }
    return Calls.serve() + ' ' + SocketPeer.serve(host, false);
  }

  /** Learns of the registries of the others, in the order of their numbers. */
  private String join(String... registries) throws Exception {
    for (String each : registries) {
      String[] parts = each.split(":");
      others.add(Address.of(Calls.lookup(parts[0], parts[1])));
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

  /** Each node begins with another one. */
  private void askInTurn(long turn) throws IOException {
    ask(new Echo(new byte[SMALL_BYTES]), others.get((int) ((number + turn) % others.size())));
  }

  private void useStore() throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    int key = random.nextInt(KEYS);
    ask(
        random.nextInt(10) < READS_OF_TEN ? new Get(key) : new Put(key, new byte[SMALL_BYTES]),
        others.get(0));
  }

  /** How often threads have done something, and the median and 99th percentile of their times. */
  private static String times(int threads, String millis, Step step) throws Exception {
    Outcome outcome = MessageKernel.ask(threads, Long.parseLong(millis), step);
    Percentiles times = outcome.times();
    return outcome.count() + " " + (long) times.median() + " " + (long) times.p99();
  }
}
