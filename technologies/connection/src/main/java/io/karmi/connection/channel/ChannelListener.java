package io.karmi.connection.channel;

import io.karmi.id.TechnologyId;
import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Listener for channels at one address, which is used for one port of the program. */
public class ChannelListener {
  /** Channels that wait in the system's queue. */
  public static final int BACKLOG = 1024;

  /**
   * Milliseconds for which channels wait at most until the exports for which it was opened are
   * made.
   */
  private static final long BEGIN_MILLIS = 2000;

  private final ServerSocketChannel server;
  final TechnologyId id;
  private final BiConsumer<SocketChannel, TechnologyId> acceptor;
  private final ServiceThread service;
  private @Nullable SocketChannel accepted;
  private boolean begun;

  /** Number of exports that use it; guarded by the listeners. */
  int users;

  /** Number of exports under way: at first the one for which it was opened. */
  private int held = 1;

  /**
   * A listener that accepts nothing before {@link #start}.
   *
   * @param server bound to an address; belongs to this listener
   * @param acceptor takes channels that come in, and returns at once
   */
  public ChannelListener(
      ServerSocketChannel server,
      TechnologyId id,
      BiConsumer<SocketChannel, TechnologyId> acceptor) {
    this.server = server;
    this.id = id;
    this.acceptor = acceptor;
    String name = id.technology().toUpperCase(Locale.ROOT);
    service =
        new ServiceThread(
            "KaRMI " + name + " Accept-" + id.address(), true, this::await, this::handOver);
  }

  final void start() {
    service.ensureRunning();
  }

  /** Until {@link #begin} channels wait in the system's queue, if they do so already. */
  final synchronized void hold() {
    held++;
  }

  /** Ends one {@link #hold}. */
  final synchronized void begin() {
    held--;
    notifyAll();
  }

  private synchronized void awaitBegin() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BEGIN_MILLIS);
    for (long left = BEGIN_MILLIS; held > 0 && left > 0 && server.isOpen(); ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  private void await() throws Exception {
    if (!begun) {
      awaitBegin();
      begun = true; // later exports at this port hold up no call of the objects that are there
      afterBegin();
    }
    try {
      accepted = server.accept();
    } catch (ClosedChannelException e) {
      accepted = null;
    }
  }

  /** Called once, by its own thread, when its exports are made. */
  protected void afterBegin() {}

  /** False once the listener is closed. */
  private boolean handOver() {
    SocketChannel arrived = accepted;
    accepted = null;
    if (arrived != null) {
      acceptor.accept(arrived, id);
    }
    return server.isOpen();
  }

  final void close() {
    try {
      server.close();
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "closing the listener at " + id, e);
    }
    synchronized (this) {
      notifyAll();
    }
    afterClose();
  }

  /** Called when it accepts no more channels. */
  protected void afterClose() {}
}
