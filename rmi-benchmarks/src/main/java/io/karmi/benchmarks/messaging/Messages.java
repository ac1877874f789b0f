package io.karmi.benchmarks.messaging;

import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.io.Serializable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * KaRMI's messages.
 *
 * <p>Messages of bytes are sent again and again, one of each length, made once, as the buffers of a
 * socket, Netty and Aeron are beside it.
 */
final class Messages implements MessageSender {
  private static final long PATIENCE_SECONDS = 60;

  /** By the power of two that their length is; two threads may make the same one. */
  private static final @Nullable Bytes[] MADE = new @Nullable Bytes[Integer.SIZE];

  private final Messaging from = Messaging.ofThisNode();
  private final Address to;

  record Bytes(byte[] content) implements Serializable {}

  record Due(long nanos, byte[] content) implements Serializable {}

  record HowLate(int perMille) implements Serializable {}

  record FourInts(int a, int b, int c, int d) implements Serializable {}

  record Echo(byte[] content) implements Serializable {}

  record HowMany() implements Serializable {}

  /** Sends to the node of the JVM whose registry has this port. */
  Messages(String port) throws Exception {
    to = Address.of(Calls.lookup(Calls.LOOPBACK, port));
  }

  /** Serves messages; returns the port of a registry that tells the address. */
  static String serve() throws IOException {
    take(Messaging.ofThisNode(), new LongAdder(), new Delays());
    return Calls.serve();
  }

  /** Has a node count the messages that it gets, and answer requests. */
  static void take(Messaging messaging, LongAdder arrived, Delays delays) {
    messaging.receive(Bytes.class, (message, from) -> arrived.increment());
    messaging.receive(FourInts.class, (message, from) -> arrived.increment());
    messaging.receive(
        Due.class,
        (message, from) -> {
          delays.arrived(message.nanos());
          arrived.increment();
        });
    messaging.answer(HowLate.class, (question, from) -> delays.rank(question.perMille()));
    messaging.answer(Echo.class, (question, from) -> question);
    messaging.answer(HowMany.class, (question, from) -> arrived.sum());
  }

  /** A message of this length, which is a power of two, or the one of four numbers for none. */
  static Serializable message(int bytes) {
    return bytes == 0 ? new FourInts(1, 2, 3, 4) : ofLength(bytes);
  }

  /** The message of this length, which is a power of two. */
  static Bytes ofLength(int bytes) {
    int power = Integer.numberOfTrailingZeros(bytes);
    Bytes known = MADE[power];
    if (known == null) {
      known = new Bytes(new byte[1 << power]);
      MADE[power] = known;
    }
    return known;
  }

  /** A message of 64 bytes with the time at which it was due. */
  static Due due(long dueNanos) {
    return new Due(dueNanos, new byte[MessageKernel.PACED.bytes - Long.BYTES]);
  }

  /** The answer of a node to a request of another one. */
  static Object answer(Messaging from, Serializable question, Address to) throws IOException {
    try {
      return from.request(question, to).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException("no answer", e);
    }
  }

  @Override
  public void send(int bytes) throws IOException {
    from.send(message(bytes), to);
  }

  @Override
  public void sendDue(long dueNanos) throws IOException {
    from.send(due(dueNanos), to);
  }

  @Override
  public long delayNanos(int perMille) throws IOException {
    return (Long) answer(from, new HowLate(perMille), to);
  }

  @Override
  public void request(int bytes) throws IOException {
    answer(from, new Echo(new byte[bytes]), to);
  }

  @Override
  public long arrived() throws IOException {
    return (Long) answer(from, new HowMany(), to);
  }
}
