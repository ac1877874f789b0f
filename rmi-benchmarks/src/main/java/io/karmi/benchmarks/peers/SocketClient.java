package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.measure.Sampler;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * The client of {@link SocketServer}. Arguments: port, milliseconds to warm up and to measure, then
 * for each kernel {@code name=bytes}, the bytes it puts on the wire in both directions together.
 */
public final class SocketClient {
  private final int port;

  private SocketClient(int port) {
    this.port = port;
  }

  public static void main(String[] args) throws Exception {
    SocketClient client = new SocketClient(Integer.parseInt(args[0]));
    for (int i = 3; i < args.length; i++) {
      int equals = args[i].lastIndexOf('=');
      int bytes = Integer.parseInt(args[i].substring(equals + 1));
      try (Exchange exchange = client.open(args[i].substring(0, equals), bytes)) {
        Sampler sampler =
            new Sampler(
                Long.parseLong(args[1]), Long.parseLong(args[2]), client::allocatedByServer);
        System.out.println(sampler.measure(exchange).toLine());
      }
    }
    client.connect(SocketServer.STOP, 0).close();
  }

  private Exchange open(String name, int bytes) throws IOException {
    int request = Math.max(1, bytes / 2);
    int response = Math.max(1, bytes - request);
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
  private static final class Exchange implements Kernel, AutoCloseable {
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

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
