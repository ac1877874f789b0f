package io.karmi.tcp;

import io.karmi.connection.channel.HostAddress;
import io.karmi.connection.guard.ConnectionLimit;
import io.karmi.connection.guard.Slot;
import io.karmi.id.TechnologyId;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMIFailureHandler;
import java.rmi.server.RMISocketFactory;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Listener at one port. One service accepts; each connection then has a thread of its own. */
final class Listener {
  private static final int BACKLOG = 1024;
  private static final long PAUSE_MILLIS = 50;
  private static final long CLOSE_MILLIS = 1000;

  /** Nanoseconds between two reports of failed accepts. */
  private static final long REPORT_PAUSE_NANOS = 10_000_000_000L;

  /**
   * Milliseconds for which connections wait at most until the exports for which it was opened are
   * made.
   */
  private static final long BEGIN_MILLIS = 2000;

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Acceptor acceptor;
  private final ConnectionLimit limit;
  private final boolean virtualThreads;
  private final boolean tls;
  private final ServerSocket socket;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Set before the socket is closed, since closing may fail half-way for want of memory. */
  private volatile boolean closed;

  /** Its first name, under which calls come in; it does not change while it listens. */
  final TechnologyId end;

  private @Nullable String configuredHost;
  private TechnologyId id;
  int users;

  /**
   * The socket that has come in and is not served yet; belongs to the accepting thread, as the next
   * two do.
   */
  private @Nullable Socket accepted;

  private boolean begun;

  private long reportedAtNanos = System.nanoTime() - REPORT_PAUSE_NANOS;

  /** Number of exports under way: at first the one for which it was opened. */
  private int held = 1;

  /** Handler of a socket that has come in, in a thread of its own. */
  interface Acceptor {
    void accept(SocketArrival arrival, Slot slot, TechnologyId endpoint);
  }

  private Listener(
      Acceptor acceptor, ConnectionLimit limit, TcpSettings settings, ServerSocket socket) {
    this.acceptor = acceptor;
    this.limit = limit;
    this.virtualThreads = settings.virtualThreads;
    this.tls = settings.tls != null;
    this.socket = socket;
    configuredHost = HostAddress.configuredHost();
    id = newId();
    end = id;
  }

  /**
   * Listens at a port; 0 is any.
   *
   * @throws java.net.BindException if it is in use
   */
  static Listener open(Acceptor acceptor, ConnectionLimit limit, TcpSettings settings, int port)
      throws IOException {
    RMISocketFactory factory = TlsSockets.ofProgram();
    ServerSocket socket =
        factory != null ? factory.createServerSocket(port) : new ServerSocket(port, BACKLOG);
    Listener listener = null;
    boolean started = false;
    try {
      listener = new Listener(acceptor, limit, settings, socket);
      String name = "KaRMI TCP Accept-" + socket.getLocalPort();
      new ServiceThread(name, true, listener::acceptOne, listener::serveOne).ensureRunning();
      started = true;
      return listener;
    } finally {
      if (!started) { // for want of memory: the port is free for the next attempt
        if (listener != null) {
          listener.closeSocket();
        } else {
          socket.close();
        }
      }
    }
  }

  /** Its name for exports from now on: the program may have configured another host since. */
  synchronized TechnologyId id() {
    String host = HostAddress.configuredHost();
    if (!Objects.equals(host, configuredHost)) {
      configuredHost = host;
      id = newId();
    }
    return id;
  }

  int port() {
    return socket.getLocalPort();
  }

  private TechnologyId newId() {
    return new TechnologyId(Tcp.NAME, HostAddress.listLocal(socket.getLocalPort()));
  }

  /** Whether {@link #id} has given that name, now or earlier. */
  boolean isNamed(TechnologyId endpoint) {
    return HostAddress.parseList(endpoint.address()).get(0).port() == socket.getLocalPort();
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

  private synchronized void awaitBegin() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BEGIN_MILLIS);
    try {
      for (long left = BEGIN_MILLIS; held > 0 && left > 0 && !isClosed(); ) {
        wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
    } catch (InterruptedException e) {
      closeSocket();
    }
  }

  /**
   * Waits for a connection. Whatever is thrown ends the round and not the port: a security manager
   * or a socket of the program's own may throw anything, and memory may be short for a while.
   */
  private void acceptOne() {
    if (!begun) {
      awaitBegin();
      begun = true; // later exports at this port hold up no call of the objects that are there
    }
    try {
      accepted = socket.accept();
    } catch (Throwable e) {
      failed(e);
    }
  }

  /** Serves a socket that has come in; false once the port is closed. */
  private boolean serveOne() {
    Socket taken = accepted;
    accepted = null;
    boolean started = taken == null;
    try {
      if (taken != null) {
        started = start(taken);
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      if (!started) {
        Connector.closeQuietly(taken);
      }
      if (isClosed()) {
        ended.countDown();
      }
    }
    return !isClosed();
  }

  private static String name(Socket accepted) {
    return "KaRMI TCP Connection(" + COUNT.incrementAndGet() + ")-" + Tcp.hostOf(accepted);
  }

  /** True if a thread has the connection now, or it was refused and the watchdog closes it. */
  private boolean start(Socket accepted) {
    SocketArrival arrival = new SocketArrival(accepted, tls);
    Slot slot = limit.enter(arrival);
    if (slot == null) {
      return true;
    }
    boolean started = false;
    try {
      String name = name(accepted);
      Runnable work = () -> acceptor.accept(arrival, slot, end);
      if (virtualThreads) {
        RuntimeThreads.startVirtual(name, work);
      } else {
        RuntimeThreads.start(name, work, true);
      }
      started = true;
      return true;
    } finally {
      if (!started) {
        slot.giveBack();
      }
    }
  }

  /**
   * Pauses after a failure for want of files, threads or memory, which may be free again soon.
   * There is no pause after a refusal by a security manager, or its sender could hold up all
   * others.
   */
  private void failed(Throwable problem) {
    if (isClosed()) {
      return;
    }
    try {
      report(problem);
      if (!goesOn(problem)) {
        closeSocket();
      } else if (!(problem instanceof SecurityException)) {
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      closeSocket();
    } catch (Throwable e) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS)); // no memory to report it
    }
  }

  /** Reports the first of many: a log must not grow with what strangers do. */
  private void report(Throwable problem) {
    long now = System.nanoTime();
    if (now - reportedAtNanos >= REPORT_PAUSE_NANOS) {
      reportedAtNanos = now;
      Tcp.LOG.log(System.Logger.Level.WARNING, "cannot accept at " + id, problem);
    }
  }

  /** Asks the program's own failure handler, as stock RMI does. */
  private static boolean goesOn(Throwable problem) {
    RMIFailureHandler handler = RMISocketFactory.getFailureHandler();
    return handler == null
        || handler.failure(
            problem instanceof Exception
                ? (Exception) problem
                : new InvocationTargetException(problem));
  }

  /**
   * Closes the port, and waits until it is free: the system keeps it while a thread is still in
   * accept.
   */
  void close() {
    closeSocket();
    synchronized (this) {
      notifyAll();
    }
    try {
      if (!ended.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        Tcp.LOG.log(System.Logger.Level.DEBUG, "still accepting at " + id);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isClosed() {
    return closed || socket.isClosed();
  }

  private void closeSocket() {
    closed = true;
    try {
      socket.close();
    } catch (IOException e) {
      Tcp.LOG.log(System.Logger.Level.DEBUG, "closing the listener at " + id, e);
    }
  }
}
