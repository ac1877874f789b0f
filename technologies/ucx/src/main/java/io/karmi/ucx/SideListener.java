package io.karmi.ucx;

import io.karmi.id.TechnologyId;
import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Takes TCP connections at one port, which stands for one port of the program's. */
final class SideListener {
  private static final int BACKLOG = 1024;

  /** How long connections wait at most until the exports for which it was opened are made. */
  private static final long BEGIN_MILLIS = 2000;

  private final ServerSocketChannel server;
  private final TechnologyId id;
  private final BiConsumer<SocketChannel, TechnologyId> acceptor;
  private final ServiceThread service;
  private @Nullable SocketChannel accepted;
  private boolean begun;
  int users;

  /** Exports that are under way: at first that for which it was opened. */
  private int held = 1;

  private SideListener(
      ServerSocketChannel server,
      TechnologyId id,
      BiConsumer<SocketChannel, TechnologyId> acceptor) {
    this.server = server;
    this.id = id;
    this.acceptor = acceptor;
    service = new ServiceThread("KaRMI UCX Accept-" + id.address(), true, this::await, this::pass);
  }

  /**
   * Listens at a port that the system chooses; of this host only, where no other can be reached.
   *
   * @param acceptor takes what comes in, and leaves at once
   */
  static SideListener open(BiConsumer<SocketChannel, TechnologyId> acceptor) throws IOException {
    boolean within = Transports.stayWithinHost();
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      InetAddress at = within ? InetAddress.getLoopbackAddress() : null;
      server.bind(new InetSocketAddress(at, 0), BACKLOG);
      String address = SideAddress.listLocal(server.socket().getLocalPort(), within);
      SideListener made = new SideListener(server, new TechnologyId(Ucx.NAME, address), acceptor);
      made.service.ensureRunning();
      return made;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
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
    }
    try {
      accepted = server.accept();
    } catch (ClosedChannelException e) {
      accepted = null;
    }
  }

  /** Passes on what has come; false once the listener is closed. */
  private boolean pass() {
    SocketChannel arrived = accepted;
    accepted = null;
    if (arrived != null) {
      acceptor.accept(arrived, id);
    }
    return server.isOpen();
  }

  void close() {
    Ucx.closeQuietly(server);
    synchronized (this) {
      notifyAll();
    }
  }
}
