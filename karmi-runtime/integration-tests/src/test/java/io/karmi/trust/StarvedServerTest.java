package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMIClientSocketFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A server without threads, memory or descriptors for some seconds: afterwards it takes new
 * clients, keeps its time limits, ends leases and renews its own, exports, and says that it is
 * well.
 */
public class StarvedServerTest {
  private static final String MAIN = StarvedServer.class.getName();

  /** Renewed after half of it: a quarter is left after a starvation, for the next attempts. */
  private static final long LEASE_MILLIS = 12_000;

  /** In which a lease that is not renewed has surely ended. */
  private static final long LEASE_AND_QUARTER_MILLIS = LEASE_MILLIS + LEASE_MILLIS / 4;

  private static final long STARVED_MILLIS = 2_500;
  private static final long HANDSHAKE_MILLIS = 3_000;

  /** Shortest lease that a holder gets. */
  private static final long SHORT_LEASE_MILLIS = 200;

  private static final long DIRTY = 1;

  /**
   * Memory is starved by hand, with {@code -Dkarmi.test.starvedOfMemory=true}: the JDK may lose
   * more of its own sockets then than the test allows for.
   */
  private static final boolean OF_MEMORY = Boolean.getBoolean("karmi.test.starvedOfMemory");

  private static final long PING = Methods.hash("ping()I");

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static String classPath;
  private static boolean threadsAreLimited;
  private static Jvm server;
  private static Jvm client;
  private static int port;
  private static int stockPort;
  private static long object;

  @BeforeClass
  public static void start() throws Exception {
    List<String> limits = Limits.ofThreadsAndDescriptors();
    threadsAreLimited = limits != null;
    classPath = JarredClassPath.in(FOLDER.getRoot().toPath());
    String lease = "-Djava.rmi.dgc.leaseValue=" + LEASE_MILLIS;
    server = startServer(limits, HANDSHAKE_MILLIS, lease, MAIN, "serve");
    port = Integer.parseInt(server.awaitLine("port "));
    object = Long.parseLong(server.awaitLine("object "));
    stockPort = Integer.parseInt(server.awaitLine("stock "));
    client = Jvm.start("-Dkarmi.technologies=tcp", lease, MAIN, "hold", String.valueOf(port));
    client.awaitLine("held ");
    assertThat(server.ask("c", "client ")).isEqualTo("1");
    assertThat(services()).contains("KaRMI TCP Watchdog=true");
  }

  private static Jvm startServer(
      @Nullable List<String> limits, long handshakeMillis, String... arguments) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-Xlog:os+thread=off",
                "-Dkarmi.technologies=tcp",
                "-Dkarmi.jmx=true",
                "-Dkarmi.handshakeTimeout=" + handshakeMillis));
    all.addAll(List.of(arguments));
    return Jvm.startBy(
        limits != null ? limits : Limits.ofDescriptors(),
        Path.of(System.getProperty("java.home")),
        classPath,
        all.toArray(new String[0]));
  }

  @AfterClass
  public static void stop() {
    if (server != null) {
      server.close();
    }
    if (client != null) {
      client.close();
    }
  }

  private static String services() throws IOException, InterruptedException {
    return server.ask("s", "services ");
  }

  private static RawPeer introduced(int at) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return RawPeer.introduced(new SocketDoor(at), random.nextLong(), random.nextLong());
  }

  private static int ping(RawPeer peer, long number) throws IOException {
    byte[] reply = peer.call(number, PING, new byte[0]);
    if (reply.length != 1 + Integer.BYTES || reply[0] != RawPeer.RETURNED) {
      throw new IOException("answered by " + reply.length + " bytes");
    }
    return reply[1];
  }

  /** What a client gets that has never been here. */
  private static int pingByNewClient(int at, long number) throws IOException {
    try (RawPeer peer = introduced(at)) {
      return ping(peer, number);
    }
  }

  private static boolean isServed(int at, long number) {
    try {
      return pingByNewClient(at, number) == 1;
    } catch (IOException e) {
      return false;
    }
  }

  /** A connection of its own: the factory is another one than that of any connection before. */
  private static final class NewSockets implements RMIClientSocketFactory {
    @Override
    public Socket createSocket(String host, int at) throws IOException {
      return new Socket(host, at);
    }
  }

  private static String stock() {
    try {
      LocateRegistry.getRegistry("127.0.0.1", stockPort, new NewSockets()).list();
      return "served";
    } catch (RemoteException e) {
      return e.toString();
    }
  }

  private static boolean isAtEnd(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  public void serverOutlivesAMomentWithoutThreads() throws Exception {
    assumeTrue("a limit of threads that holds", threadsAreLimited);
    Moment moment = new Moment("t");
    moment.servesThoseWhoAreConnected = true;
    moment.pass();
  }

  @Test
  public void serverOutlivesAMomentWithoutMemory() throws Exception {
    assumeTrue("asked for by hand", OF_MEMORY);
    Moment moment = new Moment("m");
    moment.jdkLosesNothing = false;
    moment.pass();
  }

  @Test
  public void serverOutlivesAMomentWithoutDescriptors() throws Exception {
    Moment moment = new Moment("d");
    moment.servesThoseWhoAreConnected = true;
    moment.pass();
  }

  @Test
  public void timeLimitsOfOwnSocketsOutliveMomentsWithoutThreadsAndMemory() throws Exception {
    List<String> limits = Limits.ofThreadsAndDescriptors();
    try (Jvm own = startServer(limits, STARVED_MILLIS / 2, MAIN, "own")) {
      int at = Integer.parseInt(own.awaitLine("port "));
      long number = Long.parseLong(own.awaitLine("object "));
      own.awaitLine("stock ");
      for (String command : ownSocketsLack()) {
        List<Socket> silent = new ArrayList<>();
        try {
          for (int i = 0; i < 10; i++) {
            silent.add(connect(at));
          }
          assertThat(pingByNewClient(at, number)).as("behind all of them").isEqualTo(1);
          own.ask(command, "starved");
          Thread.sleep(STARVED_MILLIS); // their time is over meanwhile
          own.ask("r", "released");
          silent.add(connect(at));
          Deadline.await(
              "those who say nothing are cut, " + command,
              () -> silent.stream().allMatch(StarvedServerTest::isAtEnd));
          Deadline.await("a new client is served", () -> isServed(at, number));
        } finally {
          for (Socket each : silent) {
            each.close();
          }
        }
      }
    }
  }

  private static List<String> ownSocketsLack() {
    List<String> all = new ArrayList<>();
    if (threadsAreLimited) {
      all.add("t");
    }
    if (OF_MEMORY) {
      all.add("m");
    }
    assumeTrue("something that can be limited", !all.isEmpty());
    return all;
  }

  private static Socket connect(int at) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), at);
    socket.setSoTimeout(100);
    return socket;
  }

  /** Some seconds in which the server is short of something, and what is true afterwards. */
  private static final class Moment {
    private final String command;
    private final List<Socket> silent = new ArrayList<>();

    /** Those that come while the server is short of something, silent or not. */
    private final List<Socket> meanwhile = new ArrayList<>();

    /** Those at stock RMI's port. */
    private final List<Socket> others = new ArrayList<>();

    boolean servesThoseWhoAreConnected;

    /**
     * Whether all connections are closed afterwards. Where memory is short, one that the system has
     * accepted was seen to stay open, probably lost by the JDK's accept, and a port of stock RMI
     * may end.
     */
    boolean jdkLosesNothing = true;

    Moment(String command) {
      this.command = command;
    }

    void pass() throws Exception {
      long held = Long.parseLong(server.ask("p", "prepared "));
      silent.add(connect(port)); // and accepted before the next one
      try (RawPeer connected = introduced(port)) {
        hold(connected, held);
        server.ask(command, "starved");
        long begin = System.nanoTime();
        bringTrouble(connected, begin);
        server.ask("r", "released");
        assertAccepts(connected);
        assertExports();
        assertLimitsTime();
        assertEndsLeases();
        assertIsWell();
        assertRenews(begin);
        if (jdkLosesNothing) {
          assertThat(stock()).as("stock RMI in the same JVM").isEqualTo("served");
        }
      } finally {
        silent.addAll(meanwhile);
        silent.addAll(others);
        for (Socket each : silent) {
          each.close();
        }
      }
    }

    /** Has a lease that ends while the server is short of something, or soon after. */
    private void hold(RawPeer connected, long held) throws IOException {
      ThreadLocalRandom random = ThreadLocalRandom.current();
      WireBytes message = new WireBytes().number(5).int64(DIRTY).int64(1).int64(SHORT_LEASE_MILLIS);
      message.int64(held).int64(random.nextLong());
      byte[] reply = connected.call(Methods.COLLECTOR, Methods.LEASE, message.toArray());
      assertThat(reply)
          .as("granted")
          .startsWith((byte) RawPeer.RETURNED, (byte) SHORT_LEASE_MILLIS);
    }

    private void bringTrouble(RawPeer connected, long begin) throws Exception {
      server.tell("x");
      while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(STARVED_MILLIS)) {
        troubleStock();
        meanwhile.add(connect(port));
        meanwhile.add(connect(port));
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Socket last = meanwhile.get(meanwhile.size() - 1);
        sendQuietly(last, RawPeer.hello(random.nextLong(), random.nextLong(), "uka"));
        if (servesThoseWhoAreConnected) {
          assertThat(ping(connected, object)).as("those who are connected").isEqualTo(1);
        }
        Thread.sleep(250); // trouble is to come again and again
      }
      if (servesThoseWhoAreConnected) {
        assertThat(services()).as("asked meanwhile").contains("KaRMI TCP Watchdog=");
      }
    }

    private void troubleStock() throws IOException {
      try {
        others.add(new Socket(InetAddress.getLoopbackAddress(), stockPort));
      } catch (ConnectException e) {
        assertThat(jdkLosesNothing).as("stock RMI's port has ended").isFalse();
      }
    }

    /** The server may have closed it. */
    private static void sendQuietly(Socket socket, byte[] bytes) {
      try {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
      } catch (IOException e) {
        assertThat(socket.isConnected()).isTrue();
      }
    }

    private void assertAccepts(RawPeer connected) throws Exception {
      /* The system counts a thread for a moment after it has ended. */
      Deadline.await(
          "five new clients in a row are served",
          () -> IntStream.range(0, 5).allMatch(i -> isServed(port, object)));
      if (servesThoseWhoAreConnected) {
        assertThat(ping(connected, object)).isEqualTo(1);
      }
    }

    /** The export that was tried meanwhile, or its repetition, can be called. */
    private static void assertExports() throws Exception {
      String[] exported = server.ask("e", "exported ").split(" ", 3);
      int at = Integer.parseInt(exported[0]);
      long number = Long.parseLong(exported[1]);
      Deadline.await(
          "the object exported " + exported[2] + " is called", () -> isServed(at, number));
      assertThat(services()).contains("KaRMI TCP Accept-" + at + "=true");
    }

    /** Those who say nothing are cut, whenever they have come. */
    private void assertLimitsTime() throws Exception {
      silent.add(connect(port));
      Deadline.await(
          "those who say nothing are cut",
          () -> silent.stream().allMatch(StarvedServerTest::isAtEnd));
      int lost = jdkLosesNothing ? 0 : meanwhile.size() / 2;
      Deadline.await(
          "those who have come meanwhile are cut, but for " + lost + " of " + meanwhile.size(),
          () -> meanwhile.stream().filter(each -> !isAtEnd(each)).count() <= lost);
    }

    private static void assertEndsLeases() throws Exception {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!server.ask("u", "unreferenced ").equals("true")) {
        assertThat(System.nanoTime() - end).as("a lease that was not renewed ends").isNegative();
        Thread.sleep(100);
      }
    }

    /** All services run, and the watchdog, which always has something to do, goes on with it. */
    private static void assertIsWell() throws Exception {
      String before = servicesThat("run", each -> !each.contains("=false"));
      assertThat(before)
          .contains("KaRMI TCP Accept-" + port + "=true")
          .contains("KaRMI TCP Watchdog=true")
          .contains("KaRMI Lease Renewer=true")
          .contains("KaRMI Lease Checker=true")
          .contains("RMI Reaper=true");
      long rounds = rounds(before);
      servicesThat("go on", each -> rounds(each) > rounds);
    }

    private static String servicesThat(String what, Predicate<String> condition) throws Exception {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      String now = services();
      while (!condition.test(now)) {
        assertThat(System.nanoTime() - end).as("services that %s: %s", what, now).isNegative();
        Thread.sleep(100);
        now = services();
      }
      return now;
    }

    private static long rounds(String services) {
      String watchdog = "KaRMI TCP Watchdog=true,";
      int from = services.indexOf(watchdog) + watchdog.length();
      return Long.parseLong(services.substring(from, services.indexOf(';', from)));
    }

    /** References in both directions live for longer than any lease from before. */
    private static void assertRenews(long begin) throws Exception {
      long end = begin + TimeUnit.MILLISECONDS.toNanos(LEASE_AND_QUARTER_MILLIS);
      do {
        assertThat(client.ask("ping", "ping ")).as("%s", server.lines()).isEqualTo("1");
        assertThat(server.ask("c", "client ")).as("%s", client.lines()).isEqualTo("1");
        Thread.sleep(500); // a lease has to end, if it is not renewed
      } while (System.nanoTime() - end < 0);
    }
  }
}
