package io.karmi.tcp;

import io.karmi.connection.channel.HostAddress;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.net.Socket;

/** What the tests of this package have in common. */
final class Wire {
  static final ClassLoader LOADER = Wire.class.getClassLoader();

  private Wire() {}

  static TcpTechnology open(UpCall upCall, String... settings) {
    return new TcpTechnology(upCall, TcpSettings.from(Nodes.settings(settings)));
  }

  /** Whatever listens at a port of this host. */
  static ObjectId anybody(TcpTechnology from, int port) {
    return new ObjectId(NodeId.UNKNOWN, ObjectId.REGISTRY, from.locate("localhost", port));
  }

  static int port(TechnologyId id) {
    return HostAddress.parseList(id.address()).get(0).port();
  }

  static Socket connect(TechnologyId id) throws IOException {
    Socket socket = new Socket("localhost", port(id));
    socket.setSoTimeout(20_000);
    return socket;
  }
}
