package io.karmi.benchmarks.peers;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits at memory: spins while messages come, sleeps between looks when none has come for a while,
 * and blocks when none has come for long, until the peer {@linkplain #wake wakes} it. So a stack
 * that is not measured now leaves the processors to those that are.
 */
final class Waiting {
  private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /** Longer than a client pauses between two messages of a series. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Between two looks while it blocks: messages may come without a wake-up. */
  private static final int BLOCK_MILLIS = 2_000;

  private static final int LOOKS_PER_CLOCK = 256;

  private final Socket control;
  private long begun;
  private int looks;

  /**
   * @param control ends when the peer does
   */
  Waiting(Socket control) {
    this.control = control;
  }

  /** A message has come, or is to be waited for from now on. */
  void reset() {
    looks = 0;
    begun = 0;
  }

  /** Nothing has come yet. */
  void idle() throws IOException {
    if (++looks % LOOKS_PER_CLOCK != 0) {
      Thread.onSpinWait();
      return;
    }
    long now = System.nanoTime();
    if (begun == 0) {
      begun = now;
    } else if (now - begun > LOOK_NANOS) {
      pause(BLOCK_MILLIS);
    } else if (now - begun > SPIN_NANOS) {
      LockSupport.parkNanos(SLEEP_NANOS);
      pause(1);
    } else {
      /* There are fewer processors than threads that spin, perhaps. */
      Thread.yield();
    }
  }

  /** A series of messages follows: the peer need not block any longer. */
  static void wake(Socket control) throws IOException {
    control.getOutputStream().write(0);
  }

  /** Waits for a {@link #wake}, after which it spins again. */
  private void pause(int millis) throws IOException {
    looks = LOOKS_PER_CLOCK - 1;
    if (hears(millis)) {
      begun = System.nanoTime();
    }
  }

  /** Whether a byte comes in time on the control connection, which has nothing else to say. */
  private boolean hears(int millis) throws IOException {
    control.setSoTimeout(millis);
    try {
      InputStream wakes = control.getInputStream();
      if (wakes.read() < 0) {
        throw new EOFException("the peer is gone");
      }
      wakes.skipNBytes(wakes.available());
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }
}
