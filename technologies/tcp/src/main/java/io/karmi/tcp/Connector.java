package io.karmi.tcp;

import io.karmi.connection.channel.Handshake;
import io.karmi.connection.channel.HostAddress;
import io.karmi.connection.channel.Introducer;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.ConnectionLimit;
import io.karmi.connection.guard.Slot;
import io.karmi.connection.guard.Watchdog;
import io.karmi.guard.TakenOver;
import io.karmi.id.TechnologyId;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.ForeignPeerException;
import io.karmi.technology.SocketUpCall;
import io.karmi.technology.UpCall;
import io.karmi.technology.Workers;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Connector over sockets: opens connections, at either end, within the deadlines of the settings.
 */
final class Connector {
  private final UpCall upCall;
  private final TcpSettings settings;
  private final Watchdog watchdog;
  private final Introducer introducer;

  /** Threads that close sockets of the program's own; null as long as there are none. */
  private @Nullable Workers closers;

  Connector(UpCall upCall, TcpSettings settings, Watchdog watchdog, Introducer introducer) {
    this.upCall = upCall;
    this.settings = settings;
    this.watchdog = watchdog;
    this.introducer = introducer;
  }

  /**
   * Opens a connection to an address.
   *
   * @throws ForeignPeerException if the peer there does not speak KaRMI
   * @throws RemoteException as stock RMI's, if no peer answers
   */
  NodeChannel connect(HostAddress address, boolean messages) throws RemoteException {
    Socket socket;
    try {
      socket = socket(address);
    } catch (java.net.UnknownHostException e) {
      throw new java.rmi.UnknownHostException("Unknown host: " + address.host(), e);
    } catch (java.net.ConnectException e) {
      throw new ConnectException("Connection refused to host: " + address.host(), e);
    } catch (IOException e) {
      throw new ConnectIOException("Exception creating connection to: " + address.host(), e);
    }
    boolean open = false;
    try {
      NodeChannel connection = introduce(address, messages, socket);
      open = true;
      return connection;
    } catch (RemoteException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectIOException("no introduction from " + address, e);
    } finally {
      if (!open) {
        closeQuietly(socket); // also where the memory has ended
      }
    }
  }

  /**
   * The close of a socket of the program's own; null for one of the JDK. Its threads are not made
   * in a class's initializer, which would not be repeated after a failure for want of memory.
   */
  private @Nullable OwnSocketClose closeOf(Socket socket) {
    return socket.getClass() == Socket.class ? null : new OwnSocketClose(socket, closers());
  }

  private synchronized Workers closers() {
    Workers made = closers;
    if (made == null) {
      made = new Workers("KaRMI TCP Close", OwnSocketClose.MAXIMUM);
      closers = made;
    }
    return made;
  }

  private Socket socket(HostAddress address) throws IOException {
    RMISocketFactory factory = TlsSockets.ofProgram();
    if (factory != null) {
      return factory.createSocket(address.host(), address.port());
    }
    InetAddress[] numerics;
    try {
      numerics = InetAddress.getAllByName(address.host());
    } catch (java.net.UnknownHostException e) {
      return proxied(address, e);
    }
    IOException problem = null;
    for (InetAddress numeric : numerics) {
      try {
        return socket(address, new InetSocketAddress(numeric, address.port()));
      } catch (IOException e) {
        problem = e;
      }
    }
    throw problem;
  }

  /** Connects by the SOCKS proxy of this JVM, which may know hosts that this host does not know. */
  private Socket proxied(HostAddress address, java.net.UnknownHostException unknown)
      throws IOException {
    try {
      return socket(address, InetSocketAddress.createUnresolved(address.host(), address.port()));
    } catch (java.net.UnknownHostException e) {
      throw unknown; // there is no proxy; this one says the system's reason
    }
  }

  private Socket socket(HostAddress address, InetSocketAddress end) throws IOException {
    Socket socket = new Socket();
    long timeoutMillis = CallDeadline.limited(settings.connectTimeoutMillis);
    watchdog.expect(socket, timeoutMillis);
    try {
      socket.connect(end);
      watchdog.isOpen(socket, timeoutMillis);
      return socket;
    } catch (IOException e) {
      boolean inTime = watchdog.isOpen(socket, timeoutMillis);
      closeQuietly(socket);
      throw inTime ? e : tooLate(address, "answer", timeoutMillis);
    }
  }

  /**
   * The exception of a late connection; without a cause, as the watchdog itself has closed the
   * socket.
   */
  private static IOException tooLate(HostAddress address, String expected, long millis) {
    return new java.net.SocketTimeoutException(
        address + " did not " + expected + " in " + millis + " ms");
  }

  private NodeChannel introduce(HostAddress address, boolean messages, Socket socket)
      throws IOException {
    prepare(socket);
    long timeoutMillis = CallDeadline.limited(settings.handshakeTimeoutMillis);
    watchdog.expect(socket, timeoutMillis);
    Socket secured = socket;
    Handshake answer;
    byte[] first = {};
    try {
      if (settings.tls != null) {
        secured = settings.tls.connect(socket, address);
      }
      introducer.offer(secured.getOutputStream(), address.toString(), messages);
      first = Handshake.readMagic(secured.getInputStream());
      answer = Handshake.readAfter(first, secured.getInputStream());
    } catch (StreamCorruptedException e) {
      /* A peer of stock RMI, which does not understand us, closes without a word. */
      throw settings.tls != null
          ? notSecured(address, e)
          : new ConnectIOException(
              "the peer at "
                  + address
                  + (Tls.isExpectedBy(first)
                      ? " requires TLS, and this node has no karmi.tls; of a registry with socket"
                          + " factories, give getRegistry the client's"
                      : " speaks no RMI"),
              e);
    } catch (EOFException | SocketException | SSLException e) {
      if (!watchdog.isOpen(socket, timeoutMillis)) {
        throw tooLate(address, "introduce itself", timeoutMillis);
      }
      if (settings.tls != null) {
        throw notSecured(address, e);
      }
      if (Handshake.isMagic(first)) {
        throw e; // it speaks KaRMI, and the connection was lost
      }
      throw new ForeignPeerException("the peer at " + address + " does not speak KaRMI", e);
    }
    watchdog.isOpen(socket, timeoutMillis);
    Introduction introduction =
        introducer.agree(answer, address.toString(), messages, certificate(secured));
    return new SocketByteChannel(
        introduction, socket, secured, secured.getInputStream(), null, closeOf(socket));
  }

  private ConnectIOException notSecured(HostAddress address, IOException e) {
    if (Tls.isRefusal(e)) {
      return new ConnectIOException(
          address
              + " refuses this connection: it has no place for it (karmi.maxConnections,"
              + " karmi.maxConnectionsPerHost), or has failed; its log says why",
          e);
    }
    return new ConnectIOException(
        "no TLS with "
            + address
            + ": "
            + e.getMessage()
            + "; this node has "
            + settings.tls
            + ", the other needs karmi.tls, too, and each a certificate that the other trusts",
        e);
  }

  /**
   * Introduces this node to one that has connected to it.
   *
   * @param slot its place, which other code gives back when it has taken the connection over
   * @return null if it speaks another protocol, and other code has taken it over
   * @throws IOException if the other side does not introduce itself, or knows no common format
   */
  @Nullable NodeChannel accept(SocketArrival arrival, TechnologyId endpoint, Slot slot)
      throws IOException {
    Socket socket = arrival.socket();
    prepare(socket);
    watchdog.expect(socket, settings.handshakeTimeoutMillis);
    Socket secured = socket;
    InputStream input = socket.getInputStream();
    Handshake offer;
    try {
      byte[] first = Handshake.readMagic(input);
      Tls.Accepted tls = null;
      if (settings.tls != null || Tls.isSpokenBy(first)) {
        tls = secured(socket, first);
        secured = tls.socket();
        input = tls.below().carriedBy(tls.socket());
        first = Handshake.readMagic(input);
      }
      if (!Handshake.isMagic(first)) {
        if (tls != null) {
          tls.below().leave();
        }
        if (takenOver(secured, first, slot)) {
          return null;
        }
      }
      offer = Handshake.readAfter(first, input);
    } finally {
      watchdog.introduced(socket);
    }
    slot.keep(offer.isForMessages());
    Introduction introduction =
        introducer.answer(offer, secured.getOutputStream(), endpoint, certificate(secured));
    return new SocketByteChannel(
        introduction, socket, secured, input, arrival.host(), closeOf(socket));
  }

  /** The peer's certificate; null without TLS. */
  private static @Nullable Object certificate(Socket secured) throws IOException {
    return secured instanceof SSLSocket
        ? ((SSLSocket) secured).getSession().getPeerCertificates()[0]
        : null;
  }

  /**
   * Lets other code take a connection over, which waits no longer for an introduction than this
   * node does.
   */
  private boolean takenOver(Socket socket, byte[] first, Slot slot) throws IOException {
    socket.setSoTimeout((int) settings.handshakeTimeoutMillis);
    TakenOver taken =
        upCall instanceof SocketUpCall others
            ? others.takeOver(socket, first, slot::giveBack)
            : null;
    if (taken == null) {
      return false;
    }
    if (!slot.pass(new Guest(taken, socket))) {
      taken.close();
    }
    return true;
  }

  /** A connection that other code has taken over. */
  private record Guest(TakenOver taken, Socket socket) implements Slot.Occupant {
    @Override
    public String peerName() {
      return Tcp.hostOf(socket);
    }

    @Override
    public long waitedNanos(long now) {
      long waited = taken.waitedNanos(now);
      return waited >= ConnectionLimit.LEAST_WAIT_NANOS ? waited : 0;
    }

    @Override
    public void giveWay(String reason) {
      taken.close();
    }
  }

  /** TLS over a connection that has come in; fails, with a reason, if only one side uses TLS. */
  private Tls.Accepted secured(Socket socket, byte[] first) throws IOException {
    if (settings.tls == null) {
      Tls.decline(socket, first);
      throw new StreamCorruptedException("peer speaks TLS, and this node has no karmi.tls");
    }
    if (!Tls.isSpokenBy(first)) {
      Handshake.readAfter(first, socket.getInputStream());
      introducer.refuse(
          socket.getOutputStream(),
          "it requires TLS: karmi.tls is set there, and not at the node that connects");
      throw new StreamCorruptedException("peer does not speak TLS, and this node requires it");
    }
    return settings.tls.accept(socket, first);
  }

  private void prepare(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
  }

  static void closeQuietly(@Nullable Socket socket) {
    if (socket == null) {
      return;
    }
    try {
      socket.close();
    } catch (IOException e) {
      Tcp.LOG.log(System.Logger.Level.DEBUG, "closing a socket failed", e);
    }
  }
}
