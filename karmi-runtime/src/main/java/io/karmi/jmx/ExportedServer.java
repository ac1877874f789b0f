package io.karmi.jmx;

import io.karmi.guard.HostRates;
import io.karmi.reference.CallContext;
import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.reference.ServerRef;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.Map;
import javax.management.remote.rmi.RMIConnection;
import javax.management.remote.rmi.RMIConnectionImpl;
import javax.management.remote.rmi.RMIServerImpl;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/**
 * The remote objects of a connector server, on KaRMI: itself, which clients ask for a connection,
 * and one object for each connection. Thread-safe.
 */
final class ExportedServer extends RMIServerImpl {
  /** Logins of a host that may be under way, or have failed a moment ago; then one a second. */
  private static final int LOGINS_AT_ONCE = 20;

  private final int wantedPort;
  private final Map<String, ?> environment;
  private final Filters filters;

  /**
   * Logins of each host that are under way or have failed. Beyond the limit they are refused
   * without a look at their credentials, even right ones, so that more connections do not help to
   * guess passwords.
   */
  private final HostRates logins = new HostRates(1, LOGINS_AT_ONCE);

  private volatile @Nullable ServerRef entry;

  /**
   * @param port 0 for any
   */
  ExportedServer(int port, @Nullable Map<String, ?> environment) {
    super(environment);
    this.wantedPort = port;
    this.environment = environment == null ? Map.of() : environment;
    this.filters = new Filters(this.environment);
  }

  @Override
  protected void export() throws IOException {
    entry = export(this, filters.ofCredentials());
  }

  private ServerRef export(Remote object, @Nullable ObjectInputFilter filter) throws IOException {
    StubType type = StubTypes.ofImplementation(object.getClass());
    return Privileged.listen(
        wantedPort,
        () -> Node.current().export(object, type.makeSkeleton(), type, wantedPort, filter));
  }

  private ServerRef entry() {
    ServerRef exported = entry;
    if (exported == null) {
      throw new IllegalStateException("the JMX connector server is not started");
    }
    return exported;
  }

  int port() {
    return Node.current().port(entry());
  }

  @Override
  public Remote toStub() throws IOException {
    return entry().stub();
  }

  @Override
  public RMIConnection newClient(@Nullable Object credentials) throws IOException {
    String host = host();
    if (!logins.tryTake(host, 1)) {
      throw new SecurityException(
          "too many logins from " + host + " have failed: another may be tried in a second");
    }
    boolean refused = false;
    try {
      return super.newClient(credentials);
    } catch (SecurityException e) {
      refused = true;
      throw e;
    } finally {
      if (!refused) {
        logins.giveBack(host, 1);
      }
    }
  }

  /** The host of the client whose login this thread executes, for KaRMI or for stock RMI. */
  private static String host() {
    try {
      return CallContext.isActive() ? CallContext.clientHost() : RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      return "this JVM";
    }
  }

  @Override
  protected RMIConnection makeClient(String connectionId, @Nullable Subject subject)
      throws IOException {
    ObjectInputFilter filter = filters.ofParameters();
    ClientShare share = ClientShare.open(host(), getMBeanServer());
    boolean exported = false;
    try {
      RMIConnectionImpl connection =
          new BoundedConnection(
              this, connectionId, getDefaultClassLoader(), subject, environment, filter, share);
      export(connection, filter);
      exported = true;
      return connection;
    } finally {
      if (!exported) {
        share.close();
      }
    }
  }

  @Override
  protected void closeClient(RMIConnection client) throws IOException {
    unexport(client);
    if (client instanceof BoundedConnection bounded) {
      bounded.ended();
    }
  }

  @Override
  protected String getProtocol() {
    return ConnectorAddress.PROTOCOL;
  }

  @Override
  protected void closeServer() throws IOException {
    if (entry != null) {
      unexport(this);
    }
  }

  private static void unexport(Remote object) {
    try {
      Node.current().unexport(object, true);
    } catch (NoSuchObjectException e) {
      /* Closed twice: by its client, and with the server. */
    }
  }
}
