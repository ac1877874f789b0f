package io.karmi.hostile;

import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that says it is another node, and answers all calls, each with the same result. */
final class Impostor implements AutoCloseable {
  final List<Long> objectsCalled = new CopyOnWriteArrayList<>();
  private final ServingPort serving;
  private final long[] claimed;
  private final byte[] reply;

  Impostor(long[] claimed, WireBytes result) throws IOException {
    this.claimed = claimed;
    reply = new WireBytes().u8(RawPeer.RETURNED).raw(result).toArray();
    serving = new ServingPort(this::serve);
  }

  int port() {
    return serving.port();
  }

  private void serve(Socket socket) throws IOException {
    try (RawPeer peer = RawPeer.accepted(SocketDoor.channel(socket))) {
      peer.readHello();
      peer.send(RawPeer.hello(claimed[0], claimed[1], "uka"));
      while (true) {
        List<byte[]> bodies = new ArrayList<>();
        peer.read(bodies);
        objectsCalled.add(number(bodies.get(0)));
        peer.message(RawPeer.REPLY, reply);
      }
    }
  }

  private static long number(byte[] request) {
    long number = 0;
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      number = number << Byte.SIZE | request[i] & 0xFF;
    }
    return number;
  }

  @Override
  public void close() throws IOException {
    serving.close();
  }
}
