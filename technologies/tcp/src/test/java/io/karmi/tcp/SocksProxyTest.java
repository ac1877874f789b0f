package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.Test;

/** Hosts that only the JVM's SOCKS proxy knows, as behind {@code ssh -D}. */
public class SocksProxyTest {
  private static final String FAR = "far.invalid";

  /** A proxy of version 5 that reaches each host at this host's own address. */
  private static final class Socks implements AutoCloseable {
    final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final Queue<String> hosts = new ConcurrentLinkedQueue<>();

    Socks() throws IOException {
      start(this::take);
    }

    private static void start(Runnable task) {
      Thread thread = new Thread(task, "socks");
      thread.setDaemon(true);
      thread.start();
    }

    private void take() {
      try {
        while (true) {
          Socket socket = listening.accept();
          start(() -> serve(socket));
        }
      } catch (IOException e) {
        return; // closed
      }
    }

    private void serve(Socket socket) {
      try (socket;
          Socket target = new Socket()) {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        in.readByte(); // the version
        in.skipNBytes(in.readUnsignedByte()); // ways to log in
        out.write(new byte[] {5, 0});
        in.skipNBytes(4); // version, command, reserved, type of address: a name
        hosts.add(new String(in.readNBytes(in.readUnsignedByte()), "US-ASCII"));
        target.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), in.readUnsignedShort()));
        out.write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 0});
        start(() -> pass(target, socket));
        pass(socket, target);
      } catch (IOException e) {
        return; // the test's assertions say what is missing
      }
    }

    private static void pass(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
      } catch (IOException e) {
        return; // closed
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }

  /** Names the proxy for that one host. */
  private static final class Selector extends ProxySelector {
    private final Proxy proxy;

    Selector(Socks socks) {
      proxy = new Proxy(Proxy.Type.SOCKS, socks.listening.getLocalSocketAddress());
    }

    @Override
    public List<Proxy> select(URI uri) {
      return List.of(FAR.equals(uri.getHost()) ? proxy : Proxy.NO_PROXY);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException problem) {}
  }

  @Test
  public void hostThatOnlyTheProxyKnowsIsReached() throws Exception {
    ProxySelector before = ProxySelector.getDefault();
    Callee node = Nodes.successor();
    try (Socks socks = new Socks();
        TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Nodes.caller())) {
      ProxySelector.setDefault(new Selector(socks));
      String address = FAR + ":" + Wire.port(server.listen(0));
      ObjectId target = Nodes.object(node, new TechnologyId(Tcp.NAME, address));
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      assertThat(socks.hosts).containsExactly(FAR);
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  @Test
  public void hostThatNobodyKnowsIsNamedWithTheReason() throws Exception {
    Callee node = Nodes.successor();
    try (TcpTechnology client = Wire.open(Nodes.caller())) {
      ObjectId target = Nodes.object(node, new TechnologyId(Tcp.NAME, FAR + ":1"));
      assertThatThrownBy(() -> Nodes.next(client, target, 1))
          .isInstanceOf(java.rmi.UnknownHostException.class)
          .hasMessageContaining(FAR)
          .hasRootCauseInstanceOf(java.net.UnknownHostException.class);
    }
  }
}
