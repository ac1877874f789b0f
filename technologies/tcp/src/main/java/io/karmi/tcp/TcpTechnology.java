package io.karmi.tcp;

import io.karmi.connection.ConnectedTechnology;
import io.karmi.connection.channel.HostAddress;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.guard.PeerLog;
import io.karmi.id.TechnologyId;
import io.karmi.technology.Addressable;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Calls over TCP sockets: the technology that every node has. Thread-safe. */
public final class TcpTechnology extends ConnectedTechnology implements Addressable {
  private final TcpSettings settings;
  private final Connector connector;
  private final Listeners listeners;

  TcpTechnology(UpCall upCall, TcpSettings settings) {
    super(upCall, settings);
    this.settings = settings;
    this.connector = new Connector(upCall, settings, watchdog(), introducer());
    this.listeners = new Listeners(this::accept, limit(), settings);
  }

  @Override
  public String name() {
    return Tcp.NAME;
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public TechnologyId listen(int port) throws IOException {
    TechnologyId endpoint = listenFromBegin(port);
    begin(endpoint);
    return endpoint;
  }

  @Override
  public TechnologyId listenFromBegin(int port) throws IOException {
    TechnologyId endpoint = listeners.listenFromBegin(port);
    startWatch();
    return endpoint;
  }

  @Override
  public void begin(TechnologyId endpoint) {
    listeners.begin(endpoint);
  }

  @Override
  public void release(TechnologyId endpoint) {
    listeners.release(endpoint);
  }

  @Override
  public TechnologyId end(TechnologyId name) {
    return listeners.end(name);
  }

  @Override
  public int port(TechnologyId endpoint) {
    return listeners.port(endpoint);
  }

  @Override
  public @Nullable InetSocketAddress address(TechnologyId name) {
    try {
      HostAddress first = HostAddress.parseList(name.address()).get(0);
      return InetSocketAddress.createUnresolved(first.host(), first.port());
    } catch (IllegalArgumentException e) {
      return null; // of a peer that may say anything
    }
  }

  @Override
  protected void closeListeners() {
    listeners.closeAll();
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return HostAddress.split(ofNode);
  }

  @Override
  public TechnologyId locate(@Nullable String host, int port) {
    String named = host;
    if (named == null || named.isEmpty()) {
      try {
        named = InetAddress.getLocalHost().getHostAddress();
      } catch (java.net.UnknownHostException e) {
        named = InetAddress.getLoopbackAddress().getHostAddress();
      }
    }
    return new TechnologyId(Tcp.NAME, new HostAddress(named, port).toString());
  }

  @Override
  public @Nullable RMISocketFactory securedSockets() {
    return settings.tls == null ? null : new TlsSockets(settings.tls, settings);
  }

  @Override
  protected NodeChannel dial(String address, boolean messages) throws RemoteException {
    return connector.connect(HostAddress.parse(address), messages);
  }

  /**
   * Serves a socket that has come in and was admitted, until it ends or goes on in another thread.
   * Runs in the connection's thread.
   */
  void accept(SocketArrival arrival, Slot slot, TechnologyId endpoint) {
    NodeChannel connection = null;
    boolean own = true;
    try {
      connection = connector.accept(arrival, endpoint, slot);
      own = connection != null;
    } catch (SSLHandshakeException e) {
      String from = Tcp.hostOf(arrival.socket());
      PeerLog.warn(Tcp.LOG, from, "connection from " + from + " refused (karmi.tls): " + e, null);
      Tcp.LOG.log(System.Logger.Level.DEBUG, "refused", e);
    } catch (IOException e) {
      String from = Tcp.hostOf(arrival.socket());
      Tcp.LOG.log(System.Logger.Level.DEBUG, "connection from " + from + " refused", e);
    } finally {
      if (connection == null && own) {
        end(arrival, slot);
      }
    }
    if (connection != null) {
      serveAccepted(connection, slot);
    }
  }

  /** Within TLS nothing can be told in the clear. */
  private void end(SocketArrival arrival, Slot slot) {
    if (settings.tls == null) {
      limit().dismiss(arrival, slot);
    } else {
      slot.giveBack();
      Connector.closeQuietly(arrival.socket());
    }
  }
}
