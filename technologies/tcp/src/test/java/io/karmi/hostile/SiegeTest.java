package io.karmi.hostile;

import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.SiegeContract;
import io.karmi.contract.hostile.SocketDoor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/** Every attack of the kit on a node over TCP. */
public class SiegeTest extends SiegeContract {
  private static final byte[] OTHER_HOST = {127, 0, 0, 2};

  @Override
  protected long usualMillis() {
    return 20_000;
  }

  @Override
  protected long usualSlowSeconds() {
    return 3;
  }

  @Override
  protected List<String> options() {
    return List.of();
  }

  @Override
  protected String technology() {
    return "tcp";
  }

  @Override
  protected Door door(int port, String way) {
    return new SocketDoor(port);
  }

  @Override
  protected Door attackersDoor(int port, String way) {
    return doorFrom(OTHER_HOST, port);
  }

  /** The door of a node on this host, for a client at an address of its own. */
  static Door doorFrom(byte[] address, int port) {
    return () -> {
      Socket socket = new Socket();
      boolean connected = false;
      try {
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        connected = true;
        return SocketDoor.channel(socket);
      } finally {
        if (!connected) {
          socket.close();
        }
      }
    };
  }
}
