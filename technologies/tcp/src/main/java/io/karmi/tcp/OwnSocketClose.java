package io.karmi.tcp;

import io.karmi.technology.Workers;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Close of a socket of the program's own, which may wait for a thread that writes.
 *
 * <p>A worker closes it once, as soon as there is a thread. Handing it over needs no memory, and a
 * close that fails for want of memory is tried again. Thread-safe.
 */
final class OwnSocketClose {
  /**
   * Upper bound of sockets that are closed at a time: each that waits holds up its connection's
   * thread.
   */
  static final int MAXIMUM = 1_000;

  private static final long WAIT_MILLIS = 20;

  /** Upper bound of attempts to close for want of memory. */
  private static final int MAXIMUM_ATTEMPTS = 100;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Socket socket;
  private final Workers workers;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final FutureTask<Void> close;
  private final Workers.Task task;

  /**
   * Prepares all that the close will need.
   *
   * @param workers the threads that close
   */
  OwnSocketClose(Socket socket, Workers workers) {
    this.socket = socket;
    this.workers = workers;
    close =
        new FutureTask<>(
            () -> {
              closeSocket();
              return null;
            });
    task = new Workers.Task(close);
  }

  /** Closes the socket, and returns within a moment even if that goes on. */
  void close() throws IOException {
    if (begun.getAndSet(true)) {
      return;
    }
    workers.execute(task);
    try {
      close.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | OutOfMemoryError e) {
      return; // it goes on by itself
    } catch (ExecutionException e) {
      throw new IOException("closing a socket of the program's own failed", e.getCause());
    }
  }

  private void closeSocket() throws IOException {
    for (int attempt = 1; !isClosed(attempt == MAXIMUM_ATTEMPTS); attempt++) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** False if there was no memory for it, unless that was the last attempt. */
  private boolean isClosed(boolean last) throws IOException {
    try {
      socket.close();
      return true;
    } catch (OutOfMemoryError e) {
      if (last) {
        throw e;
      }
      return false;
    }
  }
}
