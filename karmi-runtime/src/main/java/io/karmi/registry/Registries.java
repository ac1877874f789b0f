package io.karmi.registry;

import io.karmi.id.JrmpName;
import io.karmi.id.ObjectId;
import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.reference.ServerRef;
import io.karmi.reference.StoredForm;
import io.karmi.settings.Settings;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Factory and locator of registries. Thread-safe. */
public final class Registries {
  private Registries() {}

  /**
   * Creates a registry in this JVM: one of stock RMI, which KaRMI serves to its own peers. There
   * may be several, each on its port; they do not keep the JVM alive.
   *
   * @param port 0 for any
   * @throws ExportException if the port is in use, or has a registry
   */
  public static Registry create(int port) throws RemoteException {
    return Privileged.listen(port, () -> createPermitted(port));
  }

  private static Registry createPermitted(int port) throws IOException {
    StubType type = StubTypes.of(Registry.class);
    Node node = Node.current();
    node.checkStarted();
    if (node.locate("localhost", port, ObjectId.REGISTRY).id().technologyCount() == 0) {
      throw new ExportException(
          "a registry is found by host and port, and no network of this node has ports: add tcp to "
              + Settings.TECHNOLOGIES);
    }
    ServerRef entry =
        node.exportWellKnown(
            ObjectId.REGISTRY,
            node.stock()::createRegistry,
            new RegistrySkeleton(type.makeSkeleton()),
            type,
            port,
            RegistryFilter.INSTANCE);
    return (Registry) Objects.requireNonNull(entry.target(), "a registry is kept for good");
  }

  /**
   * The registry of a host at a port, whichever runtime serves it; it is not contacted before it is
   * used.
   *
   * @param host null or empty for the local host
   * @param port 0 or less for 1099
   */
  public static Registry locate(@Nullable String host, int port) {
    return new RegistryStub(
        host == null || host.isEmpty() ? localHost() : host,
        port <= 0 ? Registry.REGISTRY_PORT : port);
  }

  /** The stub of a registry that a stream of stock RMI names. */
  public static StoredForm stub(JrmpName name) {
    return new RegistryStub(name.host(), name.port());
  }

  private static String localHost() {
    try {
      return InetAddress.getLocalHost().getHostAddress();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
