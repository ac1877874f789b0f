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
 * The client of {@link FloorServer}. Arguments: the {@link Floor}, the client's number, and the
 * server's {@code host:port}. A kernel's name is {@code name=there/back}, the bytes it puts on the
 * wire in both directions.
 */
public final class FloorClient {
  private final Floor floor;
  private final InetSocketAddress server;

  private FloorClient(Floor floor, InetSocketAddress server) {
    this.floor = floor;
    this.server = server;
  }

  public static void main(String[] args) throws Exception {
    FloorClient client = new FloorClient(Floor.valueOf(args[0]), Address.parse(args[2]));
    new Tasks(client::open, client::usedByServer).serve(System.in, System.out);
    client.control(FloorServer.STOP, 0).close();
    System.exit(0);
  }

  /* The link is left open until the JVM ends, as an RMI's connection is. */
  private Exchange open(String nameAndBytes) throws IOException {
    int equals = nameAndBytes.lastIndexOf('=');
    String name = nameAndBytes.substring(0, equals);
    int slash = nameAndBytes.indexOf('/', equals);
    int request = Math.max(1, Integer.parseInt(nameAndBytes.substring(equals + 1, slash)));
    int response = Math.max(1, Integer.parseInt(nameAndBytes.substring(slash + 1)));
    Link link = floor.connect(control(request, response));
    return new Exchange(name, link, request, response, floor.makesArrays());
  }

  private Socket control(int request, int response) throws IOException {
    Socket socket = new Socket(server.getAddress(), server.getPort());
    socket.setTcpNoDelay(true);
    byte[] numbers = ByteBuffer.allocate(8).putInt(request).putInt(response).array();
    socket.getOutputStream().write(numbers);
    return socket;
  }

  private Use usedByServer() throws IOException {
    try (Socket socket = control(FloorServer.METER, 0)) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      return new Use(in.readLong(), in.readLong());
    }
  }

  /** One link's requests and responses. */
  private static final class Exchange implements Kernel {
    private static final int CHECKED_CALLS = 20;

    private final String name;
    private final Link link;
    private final byte[] request;
    private final boolean makesArrays;
    private byte[] response;

    Exchange(String name, Link link, int request, int response, boolean makesArrays) {
      this.name = name;
      this.link = link;
      this.request = new byte[request];
      this.response = new byte[response];
      this.makesArrays = makesArrays;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void begin() throws IOException {
      link.begin();
    }

    @Override
    public void run() throws IOException {
      link.send(request);
      response = makesArrays ? new byte[response.length] : response;
      link.receive(response);
    }

    @Override
    public String check() throws IOException {
      link.begin();
      for (int i = 0; i < CHECKED_CALLS; i++) {
        run();
      }
      return request.length + " bytes there, " + response.length + " back";
    }
  }
}
