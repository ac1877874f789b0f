package io.karmi.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Cable;
import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Two JVMs on one host, and the technology that they call each other by. */
public class ChoiceTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static final String MAIN = ChoiceMain.class.getName();

  /** Executes a command where memory has room for a directory and a lock, and for no rings. */
  private static final List<String> SMALL_MEMORY =
      List.of(
          "unshare",
          "--mount",
          "sh",
          "-c",
          "mount -t tmpfs -o size=64k tmpfs /dev/shm && exec \"$@\"",
          "sh");

  private Path sockets;
  private int port;
  private Jvm server;

  @After
  public void endServer() {
    if (server != null) {
      server.close();
    }
  }

  @Before
  public void choosePort() throws IOException {
    sockets = folder.getRoot().toPath().resolve("sockets");
    port = FreePort.any();
  }

  private static Jvm start(String end, int port, String... options) throws IOException {
    List<String> all = new ArrayList<>(Arrays.asList(options));
    all.addAll(List.of(MAIN, end, String.valueOf(port)));
    return Jvm.start(all.toArray(new String[0]));
  }

  private Jvm server(String... options) throws Exception {
    Jvm started = start("serve", port, options);
    started.awaitLine("ready");
    return started;
  }

  private String in(Path directory) {
    return "-Dkarmi.uds.directory=" + directory;
  }

  private static int call(Jvm client) throws Exception {
    return Integer.parseInt(client.ask("call", "counted "));
  }

  private static long counter(Jvm jvm, String name) {
    try {
      String counters = jvm.ask("counters", "counters ");
      for (String each : counters.substring(1, counters.length() - 1).split(", ")) {
        if (each.startsWith(name + "=")) {
          return Long.parseLong(each.substring(name.length() + 1));
        }
      }
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final String BOTH = "-Dkarmi.technologies=tcp,uds";

  @Test
  public void processesOfOneHostShareMemoryWhereNothingIsSet() throws Exception {
    assumeTrue(
        "the tests run with technologies of their own",
        System.getProperty("karmi.technologies") == null);
    assumeTrue("no memory to share here", Files.isDirectory(Path.of("/dev/shm")));
    server = server();
    try (Jvm client = start("call", port)) {
      client.ask("look up", "found");
      for (int i = 1; i <= 4; i++) {
        assertThat(call(client)).isEqualTo(i);
      }
      assertThat(counter(client, "uds.callsMade")).as("the first ones").isGreaterThanOrEqualTo(4);
      assertThat(counter(client, "shm.callsMade")).isZero();
      for (int i = 5; i <= 40; i++) {
        assertThat(call(client)).as("each call is executed once").isEqualTo(i);
      }
      assertThat(counter(client, "shm.callsMade")).isGreaterThanOrEqualTo(24);
      assertThat(counter(client, "shm.connectionsOpened")).isEqualTo(1);
      assertThat(counter(client, "uds.callsMade")).isLessThanOrEqualTo(16);
    }
  }

  @Test
  public void firstCallsGoBySharedMemoryWhereNoSocketsArePermitted() throws Exception {
    assumeTrue("no memory to share here", Files.isDirectory(Path.of("/dev/shm")));
    String two = "-Dkarmi.technologies=shm,tcp";
    server = server(two, in(sockets));
    try (Jvm client = start("call", port, two, in(sockets))) {
      client.ask("look up", "found");
      assertThat(call(client)).isEqualTo(1);
      assertThat(counter(client, "shm.callsMade")).isPositive();
    }
  }

  @Test
  public void processesOfOneUserCallOverUnixDomainSockets() throws Exception {
    server = server(BOTH, in(sockets));
    try (Jvm client = start("call", port, BOTH, in(sockets))) {
      client.ask("look up", "found");
      for (int i = 1; i <= 100; i++) {
        assertThat(call(client)).isEqualTo(i);
      }
      assertThat(counter(client, "uds.callsMade")).isGreaterThanOrEqualTo(100);
      assertThat(counter(client, "tcp.callsMade")).as("to the registry").isLessThan(50);
      assertThat(counter(client, "uds.connectionsOpened")).isEqualTo(1);
    }
  }

  @Test
  public void processesThatDoNotSeeEachOthersSocketsCallOverTcp() throws Exception {
    Path others = folder.getRoot().toPath().resolve("others");
    server = server(BOTH, in(sockets));
    try (Jvm client = start("call", port, BOTH, in(others))) {
      client.ask("look up", "found");
      for (int i = 1; i <= 10; i++) {
        assertThat(call(client)).isEqualTo(i);
      }
      assertThat(counter(client, "uds.callsMade")).isZero();
      assertThat(counter(client, "tcp.callsMade")).isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  public void nodeOfTcpAloneHasNoSocketsForItsUser() throws Exception {
    server = server("-Dkarmi.technologies=tcp", in(sockets));
    try (Jvm client = start("call", port, "-Dkarmi.technologies=tcp,uds,shm", in(sockets))) {
      client.ask("look up", "found");
      assertThat(call(client)).isEqualTo(1);
      assertThat(counter(client, "uds.callsMade")).isZero();
      assertThat(counter(client, "shm.callsMade")).isZero();
      assertThat(sockets).doesNotExist();
    }
  }

  @Test
  public void settingNarrowsTheTechnologies() throws Exception {
    server = server(BOTH, in(sockets));
    try (Jvm client = start("call", port, "-Dkarmi.technologies=tcp", in(sockets))) {
      client.ask("look up", "found");
      assertThat(call(client)).isEqualTo(1);
      assertThat(counter(client, "uds.callsMade")).as("there is no such technology").isEqualTo(-1);
      assertThat(counter(client, "tcp.callsMade")).isPositive();
    }
  }

  @Test
  public void callsGoByTheNextBestTechnologyWhenOneFailsToConnect() throws Exception {
    server = server(BOTH, in(sockets));
    try (Jvm client = start("call", port, BOTH, in(sockets), "-Dkarmi.idleTimeout=100")) {
      client.ask("look up", "found");
      assertThat(call(client)).isEqualTo(1);
      assertThat(counter(client, "uds.callsMade")).isPositive();
      removeSockets();
      Deadline.await(
          "the idle connection is closed", () -> counter(client, "uds.connectionsOpened") == 0);
      long before = counter(client, "uds.callsMade");
      for (int i = 2; i <= 20; i++) {
        assertThat(call(client)).as("each call is executed once").isEqualTo(i);
      }
      assertThat(counter(client, "uds.callsMade")).isEqualTo(before);
    }
  }

  @Test
  public void callsGoByTheNextBestTechnologyWhereMemoryIsFull() throws Exception {
    assumeTrue("a superuser may mount a small file system", canMountSmallMemory());
    Path logging = folder.newFile("logging.properties").toPath();
    Files.write(
        logging,
        List.of(
            "handlers=java.util.logging.ConsoleHandler",
            "java.util.logging.ConsoleHandler.level=FINE",
            "java.util.logging.SimpleFormatter.format=%5$s %6$s%n",
            "io.karmi.connection.level=FINE"));
    String logged = "-Djava.util.logging.config.file=" + logging;
    String three = "-Dkarmi.technologies=shm,uds,tcp";
    server = Jvm.startBy(SMALL_MEMORY, three, in(sockets), logged, MAIN, "serve", "" + port);
    server.awaitLine("ready");
    try (Jvm client = start("call", port, three, in(sockets), logged)) {
      client.ask("look up", "found");
      for (int i = 1; i <= 20; i++) {
        assertThat(call(client)).as("each call is executed once").isEqualTo(i);
      }
      assertThat(counter(client, "shm.callsMade")).isZero();
      assertThat(counter(client, "uds.callsMade")).isGreaterThanOrEqualTo(20);
      assertThat(client.linesWith("shm does not reach node ")).isNotEmpty();
    }
    server.awaitLinesWith("connection refused by shm ", 1);
    server.awaitLinesWith("java.io.IOException: No space left on device", 1);
  }

  private static boolean canMountSmallMemory() throws InterruptedException {
    List<String> command = new ArrayList<>(SMALL_MEMORY);
    command.add("true");
    return Cable.succeeds(command);
  }

  @Test
  public void listenerThatFailsLeavesTheOtherTechnology() throws Exception {
    Files.createFile(sockets); // no directory can be made in its place
    server = server(BOTH, in(sockets));
    try (Jvm client = start("call", port, BOTH)) {
      client.ask("look up", "found");
      assertThat(call(client)).isEqualTo(1);
      assertThat(counter(client, "uds.callsMade")).isZero();
    }
  }

  private void removeSockets() throws IOException {
    try (Stream<Path> all = Files.list(sockets)) {
      for (Path socket : (Iterable<Path>) all::iterator) {
        Files.delete(socket);
      }
    }
  }
}
