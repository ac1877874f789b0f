package io.karmi.messaging.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Writes frames to a socket, one after the other, behind the opening. Thread-safe. */
final class FrameOutput {
  /** Bytes that are written at a time. */
  static final int STEP_BYTES = 1 << 16;

  private final OutputStream out;
  private final byte[] opening;
  private final UnaryOperator<IOException> lost;
  private final ReentrantLock writing = new ReentrantLock();

  /** Of the thread that holds the lock. */
  private boolean openingWritten;

  private volatile long sinceNanos;

  /**
   * @param opening what is written before all
   * @param lost is told what a write has failed with; returns what it throws
   */
  FrameOutput(OutputStream out, byte[] opening, UnaryOperator<IOException> lost) {
    this.out = out;
    this.opening = opening;
    this.lost = lost;
  }

  /** When the step that is under way has begun, or 0. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** Writes bytes behind what other threads write. */
  void write(byte[] bytes, int length) throws IOException {
    writing.lock();
    try {
      if (!openingWritten) {
        openingWritten = true;
        sinceNanos = System.nanoTime() | 1;
        out.write(opening);
      }
      for (int at = 0; at < length; at += STEP_BYTES) {
        sinceNanos = System.nanoTime() | 1;
        out.write(bytes, at, Math.min(STEP_BYTES, length - at));
      }
      out.flush();
    } catch (IOException e) {
      throw lost.apply(e);
    } finally {
      sinceNanos = 0;
      writing.unlock();
    }
  }

  /** Writes a frame if no other thread writes; returns whether it has. An empty one is none. */
  boolean writeIfFree(Supplier<byte[]> frame) throws IOException {
    if (!writing.tryLock()) {
      return false;
    }
    try {
      byte[] bytes = frame.get();
      write(bytes, bytes.length);
      return bytes.length > 0;
    } finally {
      writing.unlock();
    }
  }
}
