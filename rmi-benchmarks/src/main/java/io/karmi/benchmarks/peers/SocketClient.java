package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.measure.Tasks;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * The client of {@link SocketServer}. Argument: the port. A kernel's name is {@code
 * name=there/back}, the bytes it puts on the wire in both directions.
 */
public final class SocketClient {
  private final int port;

  private SocketClient(int port) {
    this.port = port;
  }

  public static void main(String[] args) throws Exception {
    SocketClient client = new SocketClient(Integer.parseInt(args[0]));
    new Tasks(client::open, client::allocatedByServer).serve(System.in, System.out);
    client.connect(SocketServer.STOP, 0).close();
  }

  /* The connection is left open until the JVM ends, as an RMI's is. */
  private Exchange open(String nameAndBytes) throws IOException {
    int equals = nameAndBytes.lastIndexOf('=');
    String name = nameAndBytes.substring(0, equals);
    int slash = nameAndBytes.indexOf('/', equals);
    int request = Math.max(1, Integer.parseInt(nameAndBytes.substring(equals + 1, slash)));
    int response = Math.max(1, Integer.parseInt(nameAndBytes.substring(slash + 1)));
    return new Exchange(name, connect(request, response), request, response);
  }

  private Socket connect(int request, int response) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    byte[] numbers = ByteBuffer.allocate(8).putInt(request).putInt(response).array();
    socket.getOutputStream().write(numbers);
    return socket;
  }

  private long allocatedByServer() throws IOException {
    try (Socket socket = connect(SocketServer.METER, 8)) {
      return new DataInputStream(socket.getInputStream()).readLong();
    }
  }

  /** One connection's requests and responses. */
  private static final class Exchange implements Kernel {
    private static final int CHECKED_CALLS = 20;

    private final String name;
    private final Socket socket;
    private final byte[] request;
    private final byte[] response;

    Exchange(String name, Socket socket, int request, int response) {
      this.name = name;
      this.socket = socket;
      this.request = new byte[request];
      this.response = new byte[response];
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int callsPerRun() {
      return 1;
    }

    @Override
    public void run() throws IOException {
      socket.getOutputStream().write(request);
      SocketServer.readFully(socket.getInputStream(), response);
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
