package io.karmi.benchmarks.messaging;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A sender of bytes, not objects. A message has a byte with its kind, and content, which may begin
 * with a number.
 */
abstract class BytesSender implements MessageSender {
  static final byte MESSAGE = 0;

  /** A message that is to be sent back. */
  static final byte REQUEST = 1;

  /** Asks how many have come. */
  static final byte COUNT = 2;

  /** A message that begins with the time at which it was due. */
  static final byte DUE = 3;

  /** Asks for the delay below which a number of a thousand messages lie. */
  static final byte DELAY = 4;

  /** Longest time for which an answer is awaited. */
  static final long PATIENCE_SECONDS = 60;

  /** What one end keeps count of that receives; of one thread. */
  static final class Received {
    private final Delays delays = new Delays();
    private long arrived;

    /**
     * A message has come, whose content begins with this number if its kind has one.
     *
     * @return the answer, if it is a question for a number
     */
    long take(byte kind, long number) {
      if (isQuestion(kind)) {
        return kind == COUNT ? arrived : delays.rank((int) number);
      }
      arrived++;
      if (kind == DUE) {
        delays.arrived(number);
      }
      return 0;
    }
  }

  /** Whether messages of this kind ask for a number. */
  static boolean isQuestion(byte kind) {
    return kind == COUNT || kind == DELAY;
  }

  /** Whether messages of this kind begin with a number. */
  static boolean hasNumber(byte kind) {
    return kind == DUE || kind == DELAY;
  }

  /** An answer that another thread gets. */
  static long next(BlockingQueue<Long> answers, String peer) throws IOException {
    try {
      Long answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new IOException("no answer by " + peer + " in " + PATIENCE_SECONDS + " s");
      }
      return answer;
    } catch (InterruptedException e) {
      throw new IOException("interrupted while " + peer + " was asked", e);
    }
  }

  /**
   * Sends a message, which may be kept back until a {@link #flush}.
   *
   * @param number where its kind has one
   * @param bytes of the content
   */
  abstract void write(byte kind, long number, int bytes) throws IOException;

  /** Sends a message, and waits for the answer; the number at its beginning. */
  abstract long ask(byte kind, long number, int bytes) throws IOException;

  @Override
  public boolean runs(MessageKernel kernel) {
    return kernel != MessageKernel.FOUR_INTS
        && kernel != MessageKernel.REQUEST_AMONG_LARGE
        && (kernel.isOneWay() || kernel.threads == 1);
  }

  @Override
  public void send(int bytes) throws IOException {
    write(MESSAGE, 0, bytes);
  }

  @Override
  public void request(int bytes) throws IOException {
    ask(REQUEST, 0, bytes);
  }

  @Override
  public long arrived() throws IOException {
    return ask(COUNT, 0, 0);
  }

  @Override
  public void sendDue(long dueNanos) throws IOException {
    write(DUE, dueNanos, MessageKernel.PACED.bytes);
    flush();
  }

  @Override
  public long delayNanos(int perMille) throws IOException {
    return ask(DELAY, perMille, Long.BYTES);
  }
}
