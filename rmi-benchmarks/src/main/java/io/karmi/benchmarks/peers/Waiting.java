package io.karmi.benchmarks.peers;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits at memory: spins while messages come, and sleeps between looks when none has come for a
 * while, so that a stack that is not measured now leaves the processors to those that are.
 */
final class Waiting {
  private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final int LOOKS_PER_CLOCK = 256;

  private final Socket control;
  private final int looksPerClock;
  private long begun;
  private int looks;

  /**
   * @param control ends when the peer does
   */
  Waiting(Socket control) {
    this(control, LOOKS_PER_CLOCK);
  }

  /**
   * @param control ends when the peer does
   * @param looksPerClock fewer than at plain memory where a look takes longer
   */
  Waiting(Socket control, int looksPerClock) {
    this.control = control;
    this.looksPerClock = looksPerClock;
  }

  /** A message has come, or is to be waited for from now on. */
  void reset() {
    looks = 0;
    begun = 0;
  }

  /** Nothing has come yet. */
  void idle() throws IOException {
    if (++looks % looksPerClock != 0) {
      Thread.onSpinWait();
      return;
    }
    long now = System.nanoTime();
    if (begun == 0) {
      begun = now;
    } else if (now - begun > SPIN_NANOS) {
      LockSupport.parkNanos(SLEEP_NANOS);
      looks = looksPerClock - 1;
      requirePeer();
    } else {
      /* There are fewer processors than threads that spin, perhaps. */
      Thread.yield();
    }
  }

  /** Neither side writes on the control connection once the link is open: only its end is read. */
  private void requirePeer() throws IOException {
    if (control.isClosed() || (control.getInputStream().available() == 0 && hasEnded())) {
      throw new EOFException("the peer is gone");
    }
  }

  private boolean hasEnded() throws IOException {
    control.setSoTimeout(1);
    try {
      return control.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }
}
