package io.karmi.uds;

import io.karmi.id.TechnologyId;
import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Takes connections at one socket, which stands for one port of the program's. */
final class UdsListener {
  private static final int BACKLOG = 1024;

  /** How long connections wait at most until the exports for which it was opened are made. */
  private static final long BEGIN_MILLIS = 2000;

  private final ServerSocketChannel server;
  private final Path socket;
  private final TechnologyId id;
  private final BiConsumer<SocketChannel, TechnologyId> acceptor;
  private final ServiceThread service;
  private @Nullable SocketChannel accepted;
  private boolean begun;
  int users;

  /** Exports that are under way: at first that for which it was opened. */
  private int held = 1;

  private UdsListener(
      String technology,
      ServerSocketChannel server,
      Path socket,
      BiConsumer<SocketChannel, TechnologyId> acceptor) {
    this.server = server;
    this.socket = socket;
    this.acceptor = acceptor;
    String name = socket.getFileName().toString();
    id = new TechnologyId(technology, name);
    service =
        new ServiceThread(
            "KaRMI " + technology.toUpperCase(Locale.ROOT) + " Accept-" + name,
            true,
            this::await,
            this::handOver);
  }

  /**
   * Listens at a new socket.
   *
   * @param acceptor takes what comes in, and leaves at once
   */
  static UdsListener open(
      String technology,
      SocketDirectory directory,
      BiConsumer<SocketChannel, TechnologyId> acceptor)
      throws IOException {
    Path socket = directory.newSocket();
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    UdsListener listener = new UdsListener(technology, server, socket, acceptor);
    listener.service.ensureRunning();
    return listener;
  }

  TechnologyId id() {
    return id;
  }

  /** Until {@link #begin} connections wait in the system's queue, if they do so already. */
  synchronized void hold() {
    held++;
  }

  /** Ends one {@link #hold}. */
  synchronized void begin() {
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
      SocketDirectory.removeLeftovers(socket);
    }
    try {
      accepted = server.accept();
    } catch (ClosedChannelException e) {
      accepted = null;
    }
  }

  /** False once the listener is closed. */
  private boolean handOver() throws IOException {
    SocketChannel arrived = accepted;
    accepted = null;
    if (arrived != null) {
      acceptor.accept(arrived, id);
    }
    return server.isOpen();
  }

  void close() {
    try {
      server.close();
    } catch (IOException e) {
      Uds.LOG.log(System.Logger.Level.DEBUG, "closing the listener at " + socket, e);
    }
    synchronized (this) {
      notifyAll();
    }
    remove();
  }

  /** Removes the socket; also when the JVM ends. */
  void remove() {
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      Uds.LOG.log(System.Logger.Level.DEBUG, "removing " + socket, e);
    }
  }
}
