package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.measure.Tasks;
import io.karmi.benchmarks.measure.Use;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * The client of {@link FloorServer}. Arguments: the client's number, and the server's {@code
 * host:port}. A kernel's name is {@code name=there/back}, the bytes it puts on the wire in both
 * directions.
 */
public final class FloorClient {
  private final InetSocketAddress server;

  private FloorClient(InetSocketAddress server) {
    this.server = server;
  }

  public static void main(String[] args) throws Exception {
    FloorClient client = new FloorClient(PeerAddress.parse(args[1]));
    new Tasks(client::open, client::usedByServer).serve(System.in, System.out);
    client.connect(FloorServer.STOP, 0).close();
  }

  /* The socket is left open until the JVM ends, as an RMI's connection is. */
  private Exchange open(String nameAndBytes) throws IOException {
    int equals = nameAndBytes.lastIndexOf('=');
    int slash = nameAndBytes.indexOf('/', equals);
    int request = Math.max(1, Integer.parseInt(nameAndBytes.substring(equals + 1, slash)));
    int response = Math.max(1, Integer.parseInt(nameAndBytes.substring(slash + 1)));
    return new Exchange(
        nameAndBytes.substring(0, equals),
        connect(request, response),
        new byte[request],
        new byte[response]);
  }

  private Socket connect(int request, int response) throws IOException {
    Socket socket = new Socket(server.getAddress(), server.getPort());
    socket.setTcpNoDelay(true);
    byte[] numbers = ByteBuffer.allocate(8).putInt(request).putInt(response).array();
    socket.getOutputStream().write(numbers);
    return socket;
  }

  private Use usedByServer() throws IOException {
    try (Socket socket = connect(FloorServer.METER, 0)) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      return new Use(in.readLong(), in.readLong());
    }
  }

  /** One socket's requests and responses. */
  private record Exchange(String name, Socket socket, byte[] request, byte[] response)
      implements Kernel {
    private static final int CHECKED_CALLS = 20;

    @Override
    public void run() throws IOException {
      socket.getOutputStream().write(request);
      FloorServer.read(socket, response);
    }

    @Override
    public String check() throws IOException {
      for (int i = 0; i < CHECKED_CALLS; i++) {
        run();
      }
      return request.length + " bytes there, " + response.length + " back";
    }
  }
}
