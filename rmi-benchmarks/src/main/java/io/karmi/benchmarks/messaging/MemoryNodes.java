package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.messaging.MessagesServer.Echo;
import io.karmi.messaging.Address;
import io.karmi.messaging.MemoryNetwork;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.io.Serializable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Nodes in one JVM that send each other KaRMI's messages through memory: what messaging costs
 * without a network (DXNet, XII). Senders take turns, and so do those to which each of them sends.
 */
final class MemoryNodes implements MessageSender, AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Messaging[] nodes;
  private final Address[] addresses;
  private final int senders;
  private final int peers;
  private final LongAdder arrived = new LongAdder();
  private final Delays delays = new Delays();
  private final Contents contents = new Contents();

  /** How many messages the current thread has sent. */
  private final ThreadLocal<int[]> sent = ThreadLocal.withInitial(() -> new int[1]);

  private MemoryNodes(int count, int senders, int peers) {
    this.senders = senders;
    this.peers = peers;
    MemoryNetwork network = new MemoryNetwork();
    nodes = new Messaging[count];
    addresses = new Address[count];
    for (int i = 0; i < count; i++) {
      nodes[i] = network.newNode();
      MessagesServer.take(nodes[i], arrived, delays);
      addresses[i] = nodes[i].address();
    }
  }

  /** One node that sends to another one. */
  static MemoryNodes two() {
    return new MemoryNodes(2, 1, 1);
  }

  /** As many nodes, each of which sends to this many others. */
  static MemoryNodes many(int count, int peers) {
    return new MemoryNodes(count, count, peers);
  }

  @Override
  public boolean runs(MessageKernel kernel) {
    return kernel.ordinal() < MessageKernel.REQUEST_AMONG_LARGE.ordinal() || nodes.length == 2;
  }

  @Override
  public void send(int bytes) throws IOException {
    int number = sent.get()[0]++ & Integer.MAX_VALUE;
    nodes[number % senders].send(contents.message(bytes), addresses[receiver(number)]);
  }

  @Override
  public void sendDue(long dueNanos) throws IOException {
    byte[] content = new byte[MessageKernel.PACED.bytes - Long.BYTES];
    nodes[0].send(new MessagesServer.Due(dueNanos, content), addresses[1]);
  }

  @Override
  public long delayNanos(int perMille) {
    return delays.rank(perMille);
  }

  private int receiver(int number) {
    return (number % senders + 1 + number / senders % peers) % nodes.length;
  }

  @Override
  public void request(int bytes) throws IOException {
    int number = sent.get()[0]++ & Integer.MAX_VALUE;
    answer(nodes[number % senders], new Echo(new byte[bytes]), addresses[receiver(number)]);
  }

  /** The answer of a node to a request of another one. */
  static Object answer(Messaging from, Serializable question, Address to) throws IOException {
    try {
      return from.request(question, to).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException("no answer", e);
    }
  }

  /** Lets the receivers run, which share the processors with the thread that asks. */
  @Override
  public long arrived() {
    Thread.yield();
    return arrived.sum();
  }

  @Override
  public void close() {
    for (Messaging node : nodes) {
      node.close();
    }
  }
}
