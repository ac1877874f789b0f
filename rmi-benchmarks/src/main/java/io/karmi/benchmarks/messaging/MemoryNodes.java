package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.messaging.Messages.Echo;
import io.karmi.messaging.Address;
import io.karmi.messaging.MemoryNetwork;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * Nodes in one JVM that send each other KaRMI's messages through memory: what messaging costs
 * without a network (DXNet, XII). Senders take turns, and so do those to which each of them sends.
 */
final class MemoryNodes implements MessageSender, AutoCloseable {
  /** To how many others each of many nodes sends. */
  private static final int PEERS = 4;

  private final Messaging[] nodes;
  private final Address[] addresses;
  private final int senders;
  private final int peers;
  private final LongAdder arrived = new LongAdder();
  private final Delays delays = new Delays();

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
      Messages.take(nodes[i], arrived, delays);
      addresses[i] = nodes[i].address();
    }
  }

  /** Two nodes, of which one sends to the other one, or more, each of which sends to 4 others. */
  static MemoryNodes of(int count) {
    return count == 2 ? new MemoryNodes(2, 1, 1) : new MemoryNodes(count, count, PEERS);
  }

  @Override
  public boolean runs(MessageKernel kernel) {
    return kernel.ordinal() < MessageKernel.REQUEST_AMONG_LARGE.ordinal() || nodes.length == 2;
  }

  @Override
  public void send(int bytes) throws IOException {
    int number = sent.get()[0]++ & Integer.MAX_VALUE;
    nodes[number % senders].send(Messages.message(bytes), addresses[receiver(number)]);
  }

  @Override
  public void sendDue(long dueNanos) throws IOException {
    nodes[0].send(Messages.due(dueNanos), addresses[1]);
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
    Messages.answer(
        nodes[number % senders], new Echo(new byte[bytes]), addresses[receiver(number)]);
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
