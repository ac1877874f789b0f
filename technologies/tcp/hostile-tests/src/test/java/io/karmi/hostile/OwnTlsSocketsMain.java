package io.karmi.hostile;

import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A node with {@code karmi.tls} whose sockets are the program's own, and keep all that goes through
 * them; it serves, or calls with a secret.
 */
public final class OwnTlsSocketsMain {
  /** What must not be seen on its way. */
  static final String SECRET = "the vault opens at midnight";

  /** A record of TLS begins with one of these. */
  private static final int FIRST_KIND = 20;

  private static final int LAST_KIND = 23;
  private static final int HEADER_BYTES = 5;
  private static final int LENGTH_AT = 3;

  private static final Queue<ByteArrayOutputStream> SEEN = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger CALLS = new AtomicInteger();
  private static final List<Remote> KEPT = new ArrayList<>();

  private OwnTlsSocketsMain() {}

  /** What it serves. */
  public interface Vault extends Remote {
    /** Gives back what it gets. */
    Object keep(Object secret) throws RemoteException;
  }

  private static final class OpenVault implements Vault {
    @Override
    public Object keep(Object secret) {
      CALLS.incrementAndGet();
      return secret;
    }
  }

  private static final class Recording extends Socket {
    private final ByteArrayOutputStream sent = seen();
    private final ByteArrayOutputStream received = seen();

    Recording() {}

    Recording(String host, int port) throws IOException {
      super(host, port);
    }

    private static ByteArrayOutputStream seen() {
      ByteArrayOutputStream made = new ByteArrayOutputStream();
      SEEN.add(made);
      return made;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int one) throws IOException {
          write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
          sent.write(from, offset, length);
          out.write(from, offset, length);
        }
      };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
          int count = in.read(to, offset, length);
          if (count > 0) {
            received.write(to, offset, count);
          }
          return count;
        }
      };
    }
  }

  private static final class Accepting extends ServerSocket {
    Accepting(int port) throws IOException {
      super(port, 50, InetAddress.getByName("127.0.0.1"));
    }

    @Override
    public Socket accept() throws IOException {
      Socket accepted = new Recording();
      implAccept(accepted);
      return accepted;
    }
  }

  /**
   * Serves, or calls the registry's object at a port; commands are {@code seen}, for what the
   * sockets have seen, and {@code calls}, for how many calls were executed.
   */
  public static void main(String[] arguments) throws Exception {
    RMISocketFactory.setSocketFactory(
        new RMISocketFactory() {
          @Override
          public Socket createSocket(String host, int port) throws IOException {
            return new Recording(host, port);
          }

          @Override
          public ServerSocket createServerSocket(int port) throws IOException {
            return new Accepting(port);
          }
        });
    if (arguments[0].equals("serve")) {
      serve();
    } else {
      call(Integer.parseInt(arguments[1]));
    }
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      System.out.println(line.equals("calls") ? "calls " + CALLS.get() : "seen " + seen());
    }
    System.exit(0);
  }

  private static void serve() throws Exception {
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    OpenVault vault = new OpenVault();
    KEPT.addAll(List.of(registry, vault));
    registry.rebind("vault", UnicastRemoteObject.exportObject(vault, port));
    System.out.println("port " + port);
    System.out.println(
        "object " + Objects.requireNonNull(Node.current().exported(vault)).id().number());
    OpenVault filtered = new OpenVault();
    KEPT.add(filtered);
    try {
      UnicastRemoteObject.exportObject(filtered, 0, info -> null);
      System.out.println("filtered exported");
    } catch (RemoteException e) {
      System.out.println("filtered " + e.getCause());
    }
  }

  private static void call(int port) {
    try {
      Registry registry = LocateRegistry.getRegistry("127.0.0.1", port);
      Vault vault = (Vault) registry.lookup("vault");
      for (int i = 0; i < 3; i++) {
        vault.keep(SECRET);
      }
      System.out.println("outcome " + vault.keep(SECRET));
    } catch (Exception e) {
      System.out.println("outcome " + e.toString().replace('\n', ' '));
    }
  }

  /** How many streams of bytes there were, how many of them not of TLS, and with the secret. */
  private static String seen() {
    int all = 0;
    int clear = 0;
    int secret = 0;
    for (ByteArrayOutputStream each : SEEN) {
      byte[] bytes = each.toByteArray();
      all += bytes.length > 0 ? 1 : 0;
      clear += isTls(bytes) ? 0 : 1;
      secret += new String(bytes, StandardCharsets.ISO_8859_1).contains(SECRET) ? 1 : 0;
    }
    return all + " streams, " + clear + " in clear, " + secret + " with the secret";
  }

  /** Whether there are records only, of which the last one may be under way. */
  private static boolean isTls(byte[] bytes) {
    int at = 0;
    while (at < bytes.length) {
      if (bytes[at] < FIRST_KIND
          || bytes[at] > LAST_KIND
          || at + 1 < bytes.length && bytes[at + 1] != 3) {
        return false;
      }
      if (at + HEADER_BYTES > bytes.length) {
        return true;
      }
      int length = (bytes[at + LENGTH_AT] & 0xFF) << Byte.SIZE | bytes[at + LENGTH_AT + 1] & 0xFF;
      at += HEADER_BYTES + length;
    }
    return true;
  }
}
