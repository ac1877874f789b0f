package io.karmi.difference.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Arguments and results that cannot cross, peers that are not what they seem, and death. */
public final class Failures implements Program {
  /** What goes wrong with a value. */
  public enum How {
    IO_EXCEPTION,
    RUNTIME_EXCEPTION,
    ERROR,
    CLASS_NOT_FOUND,
    EXPECTS_MORE,
    LEAVES_SOME,
    INVALID
  }

  /** Takes and gives what fails on its way. */
  public interface Post extends Remote {
    int take(Object value) throws RemoteException;

    Object give(Object value) throws RemoteException;

    Object unwritable(How how) throws RemoteException;

    Object unreadable(How how) throws RemoteException;

    void throwUnwritable() throws RemoteException, OddException;

    void throwUnreadable(How how) throws RemoteException, OddException;

    int calls() throws RemoteException;

    void block() throws RemoteException;

    void release() throws RemoteException;

    void halt() throws RemoteException;

    default int addedLater() throws RemoteException {
      return calls();
    }
  }

  /** Fails when it is written. */
  static final class Unwritable implements Serializable {
    private static final long serialVersionUID = 1;
    private final How how;

    Unwritable(How how) {
      this.how = how;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      switch (how) {
        case IO_EXCEPTION -> throw new IOException("written");
        case RUNTIME_EXCEPTION -> throw new IllegalStateException("written");
        case ERROR -> throw new AssertionError("written");
        case INVALID -> out.writeObject(new Object());
        default -> {}
      }
    }
  }

  /** Fails when it is read. */
  static class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;
    private final How how;

    Unreadable(How how) {
      this.how = how;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(1);
      out.writeObject("a string");
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (how == How.LEAVES_SOME) {
        return;
      }
      in.readInt();
      in.readObject();
      switch (how) {
        case IO_EXCEPTION -> throw new IOException("read");
        case RUNTIME_EXCEPTION -> throw new IllegalStateException("read");
        case ERROR -> throw new AssertionError("read");
        case CLASS_NOT_FOUND -> throw new ClassNotFoundException("read");
        case EXPECTS_MORE -> in.readObject();
        case INVALID -> throw new java.io.InvalidObjectException("read");
        default -> {}
      }
    }
  }

  /** Carries whatever it is given. */
  public static final class OddException extends Exception {
    private static final long serialVersionUID = 1;
    final Object inside;

    OddException(Object inside) {
      super("odd");
      this.inside = inside;
    }
  }

  static final class PostObject implements Post {
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public int take(Object value) {
      return calls.incrementAndGet();
    }

    @Override
    public Object give(Object value) {
      calls.incrementAndGet();
      return value;
    }

    @Override
    public Object unwritable(How how) {
      calls.incrementAndGet();
      return new Object[] {"before", new Unwritable(how)};
    }

    @Override
    public Object unreadable(How how) {
      calls.incrementAndGet();
      return new Object[] {"before", new Unreadable(how)};
    }

    @Override
    public void throwUnwritable() throws OddException {
      calls.incrementAndGet();
      throw new OddException(new Object());
    }

    @Override
    public void throwUnreadable(How how) throws OddException {
      calls.incrementAndGet();
      throw new OddException(new Unreadable(how));
    }

    @Override
    public int calls() {
      return calls.get();
    }

    @Override
    public void block() throws RemoteException {
      blocked.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
    }

    @Override
    public void release() throws RemoteException {
      try {
        blocked.await();
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
      released.countDown();
    }

    @Override
    public void halt() {
      Runtime.getRuntime().halt(0);
    }
  }

  /** Static, so that no collector takes it. */
  private static PostObject post;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    post = new PostObject();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("post", UnicastRemoteObject.exportObject(post, 0));
    values((Post) UnicastRemoteObject.toStub(post), observed);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Post found = (Post) registry.lookup("post");
    values(found, observed);
    observed.accept("added later: " + Observe.outcome(found::addedLater));
    observed.accept("after it: " + found.give("fine"));
    interrupt(found, observed);
    for (int kind = 0; kind < 5; kind++) {
      observed.accept("peer " + kind + ": " + oddPeer(kind));
    }
    observed.accept("halted: " + Observe.outcomeOf(found::halt).replaceAll(" <- .*", ""));
    observed.accept("afterwards: " + isUnreachable(found::calls));
    observed.accept("registry: " + isUnreachable(() -> registry.list().length));
  }

  private static void values(Post found, Consumer<String> observed) throws Exception {
    for (How how : How.values()) {
      String name = how.name().toLowerCase(java.util.Locale.ROOT);
      int before = again(found::calls);
      observed.accept(
          name + " written: " + Observe.outcomeOf(() -> found.take(new Unwritable(how))));
      Object[] deep = {"before", new Unwritable(how)};
      observed.accept(name + " deep: " + Observe.outcomeOf(() -> found.take(deep)));
      observed.accept(name + " read: " + Observe.outcomeOf(() -> found.take(new Unreadable(how))));
      observed.accept(name + " calls: " + (again(found::calls) - before));
      observed.accept(name + " result: " + first(() -> ((Object[]) found.unwritable(how))[0]));
      observed.accept(
          name + " read result: " + Observe.outcome(() -> ((Object[]) found.unreadable(how))[0]));
      observed.accept(
          name + " read thrown: " + Observe.outcomeOf(() -> found.throwUnreadable(how)));
      observed.accept(name + " afterwards: " + again(() -> found.give("fine")));
    }
    observed.accept("unwritable thrown: " + Observe.outcomeOf(found::throwUnwritable));
    observed.accept("twice: " + Observe.outcomeOf(found::throwUnwritable));
    observed.accept("afterwards: " + found.give("fine"));
  }

  /**
   * After some failures stock RMI closes the connection, and the next call is the first to notice.
   */
  private static <T> T again(Callable<T> call) throws Exception {
    try {
      return call.call();
    } catch (UnmarshalException e) {
      return call.call();
    }
  }

  /** Stock RMI knows no interruption: the caller goes on waiting, and its flag stays. */
  private static void interrupt(Post found, Consumer<String> observed) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Thread caller =
        new Thread(
            () -> {
              begun.countDown();
              String outcome = Observe.outcomeOf(found::block);
              observed.accept("interrupted: " + outcome + Thread.currentThread().isInterrupted());
              observed.accept("while interrupted: " + Observe.outcome(() -> found.give("fine")));
            });
    caller.start();
    begun.await();
    caller.interrupt();
    found.release();
    caller.join();
  }

  /** Stock RMI closes the connection where KaRMI says what happened. */
  private static String first(Callable<?> call) {
    return Observe.outcome(call).replaceAll(" <- .*", "");
  }

  /** The end of a connection may be noticed before a call, or by it. */
  private static boolean isUnreachable(Callable<?> call) throws Exception {
    try {
      call.call();
      return false;
    } catch (ConnectException | ConnectIOException | UnmarshalException e) {
      return true;
    }
  }

  /** Asks for the names of a registry that is none. */
  private static String oddPeer(int kind) throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Thread peer = new Thread(() -> serveOddly(listening, kind), "odd peer");
      peer.setDaemon(true);
      peer.start();
      return first(
          () -> LocateRegistry.getRegistry("127.0.0.1", listening.getLocalPort()).list().length);
    }
  }

  private static void serveOddly(ServerSocket listening, int kind) {
    while (!listening.isClosed()) {
      try (Socket socket = listening.accept()) {
        InputStream in = socket.getInputStream();
        switch (kind) {
          case 0 -> {}
          case 1 -> in.read();
          case 2 -> socket.setSoLinger(true, 0);
          case 3 -> {
            in.read();
            socket.getOutputStream().write("HTTP/1.0 400 Bad Request\r\n\r\n".getBytes("ASCII"));
            drain(socket, in);
          }
          default -> {
            in.read();
            socket.getOutputStream().write(new byte[] {0x4F});
            drain(socket, in);
          }
        }
      } catch (IOException e) {
        // the next one
      }
    }
  }

  /** What was sent must be read before the end, or the end is a reset. */
  private static void drain(Socket socket, InputStream in) throws IOException {
    socket.shutdownOutput();
    socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(2));
    while (in.read() >= 0) {
      // until the client has closed its end
    }
  }
}
