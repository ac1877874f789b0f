package io.karmi.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Certificates;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** With {@code karmi.tls} nothing is said in clear, whatever is exported or called in what way. */
public class SecuredTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String MAIN = Secured.class.getName();
  private static final int TLS_HANDSHAKE = 0x16;

  /** What JRMP begins with, and the answer that stock RMI gives in clear. */
  private static final byte[] JRMP = {'J', 'R', 'M', 'I', 0, 2, 0x4B};

  private static final int PROTOCOL_ACK = 0x4E;

  private static String[] serving;
  private static String[] calling;

  @BeforeClass
  public static void makeCertificates() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.make("server");
    certificates.make("client");
    serving = options("server", certificates.node("server", "client", "server"));
    calling = options("client", certificates.node("client", "server"));
  }

  /** For KaRMI, and for the JDK's own factories of TLS sockets. */
  private static String[] options(String name, String tls) {
    Path folder = FOLDER.getRoot().toPath();
    return new String[] {
      "-Dkarmi.tls=" + tls,
      "-Djavax.net.ssl.keyStore=" + folder.resolve(name + ".keys"),
      "-Djavax.net.ssl.keyStorePassword=secret",
      "-Djavax.net.ssl.trustStore=" + folder.resolve(name + ".trust"),
      "-Djavax.net.ssl.trustStorePassword=secret"
    };
  }

  private static Jvm start(String[] options, String... arguments) throws IOException {
    String[] all = java.util.Arrays.copyOf(options, options.length + arguments.length + 1);
    all[options.length] = MAIN;
    System.arraycopy(arguments, 0, all, options.length + 1, arguments.length);
    return Jvm.start(all);
  }

  @Test
  public void everyExportSpeaksTlsOrIsRefused() throws Exception {
    assumeTrue("needs the kernel's tables", Files.exists(Path.of("/proc/self/net/tcp")));
    try (Jvm server = start(serving, "serve")) {
      String port = server.awaitLine("port ");
      assertThat(server.linesWith("refused "))
          .containsExactly(
              "refused server true",
              "refused both true",
              "refused filter true",
              "refused default true");
      assertThat(server.linesWith("exported ")).isEmpty();
      try (Jvm client = start(calling, "call", port)) {
        assertThat(client.everything())
            .containsExactly(
                "plain text",
                "plain took a gadget",
                "shared text",
                "shared threw ServerException",
                "filtered text",
                "filtered threw ServerException",
                "ssl text",
                "ssl took a gadget");
      }
      Set<Integer> ports = portsOf(server);
      assertThat(ports).as("ports of the server").hasSizeGreaterThanOrEqualTo(3);
      for (int each : ports) {
        assertThat(speaksInClear(each)).as("port " + each + " speaks in clear").isFalse();
      }
    }
  }

  @Test
  public void stubsOfStockRmiDoNotCallInClear() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      FutureTask<Integer> first =
          new FutureTask<>(
              () -> {
                try (Socket socket = listening.accept()) {
                  return socket.getInputStream().read();
                }
              });
      Thread thread = new Thread(first, "listens in clear");
      thread.setDaemon(true);
      thread.start();
      try (Jvm client = start(calling, "stock", "" + listening.getLocalPort())) {
        assertThat(client.everything())
            .anyMatch(line -> line.startsWith("threw java.rmi.ConnectIOException"));
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(TLS_HANDSHAKE);
      }
    }
  }

  private static boolean speaksInClear(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(2000);
      socket.getOutputStream().write(JRMP);
      InputStream in = socket.getInputStream();
      return in.read() == PROTOCOL_ACK;
    } catch (java.net.SocketTimeoutException | java.net.SocketException e) {
      return false;
    }
  }

  /** All ports at which the process listens, from the tables of the kernel. */
  private static Set<Integer> portsOf(Jvm jvm) throws IOException {
    Set<String> sockets = new TreeSet<>();
    try (var files = Files.newDirectoryStream(Path.of("/proc/" + jvm.pid() + "/fd"))) {
      for (Path file : files) {
        try {
          String name = Files.readSymbolicLink(file).toString();
          if (name.startsWith("socket:[")) {
            sockets.add(name.substring("socket:[".length(), name.length() - 1));
          }
        } catch (java.nio.file.NoSuchFileException e) {
          // closed meanwhile
        }
      }
    }
    Set<Integer> ports = new TreeSet<>();
    for (String table : new String[] {"tcp", "tcp6"}) {
      for (String line :
          Files.readAllLines(
              Path.of("/proc/" + jvm.pid() + "/net/" + table), StandardCharsets.US_ASCII)) {
        String[] fields = line.trim().split("\\s+");
        if (fields.length > 9 && fields[3].equals("0A") && sockets.contains(fields[9])) {
          ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }
}
