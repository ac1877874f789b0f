package io.karmi.tcp;

import io.karmi.technology.Workers;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The close of a socket of the program's own, which may wait there for a thread that writes.
 *
 * <p>A worker closes it, once, and takes it up as soon as there is a thread for that. To hand it
 * over needs no memory. Thread-safe.
 */
final class OwnSocketClose {
  /** How long the close is waited for. */
  private static final long WAIT_MILLIS = 20;

  /** Closes at a time: each that waits belongs to a connection whose own thread waits as well. */
  private static final int MOST = 1_000;

  private static final Workers WORKERS = new Workers("KaRMI TCP Close", MOST);

  private final AtomicBoolean begun = new AtomicBoolean();
  private final FutureTask<Void> close;
  private final Workers.Task task;

  OwnSocketClose(Socket socket) {
    close =
        new FutureTask<>(
            () -> {
              socket.close();
              return null;
            });
    task = new Workers.Task(close);
  }

  /** Closes the socket, and returns within a moment even if that goes on. */
  void close() throws IOException {
    if (begun.getAndSet(true)) {
      return;
    }
    WORKERS.execute(task);
    try {
      close.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      return; // it goes on by itself
    } catch (ExecutionException e) {
      throw new IOException("closing a socket of the program's own failed", e.getCause());
    }
  }
}
