package io.karmi.technology;

import io.karmi.id.TechnologyId;
import java.net.InetSocketAddress;
import java.rmi.server.RMISocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Interface of a {@link Technology} whose nodes are found by host and port, as {@code java.rmi}
 * names them. Nodes of others, such as shared memory, are known by references only.
 */
public interface Addressable {
  /** The UTID of what listens at a host and port; nothing is contacted. */
  TechnologyId locate(@Nullable String host, int port);

  /** The first host and port that a name of a node has, not looked up; null if it has none. */
  default @Nullable InetSocketAddress address(TechnologyId name) {
    return null;
  }

  /** The port of a listening end; −1 if it is no end of this technology. */
  int port(TechnologyId endpoint);

  /**
   * Sockets for stock RMI beside this node, which connect and listen as securely as this technology
   * does; null if that secures nothing.
   */
  default @Nullable RMISocketFactory securedSockets() {
    return null;
  }
}
