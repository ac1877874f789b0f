package io.karmi.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A rolling upgrade: one end runs the {@code karmi.jar} of an earlier commit, which {@code
 * -Dkarmi.test.earlier} names and {@code scripts/earlier} makes, and the other end this one.
 */
public class EarlierNodeTest {
  private static final long SECONDS = 90;

  private String earlier;
  private Jvm server;
  private Jvm client;

  @Before
  public void findJar() {
    earlier = System.getProperty("karmi.test.earlier");
    assumeTrue(
        "needs an earlier distribution: -Dkarmi.test.earlier=<its karmi.jar>", earlier != null);
    assertThat(new File(earlier)).isFile();
  }

  @After
  public void end() {
    if (server != null) {
      server.close();
    }
    if (client != null) {
      client.close();
    }
  }

  /** The earlier jar, and of this commit nothing but the test's own classes. */
  private Jvm startEarlier(String... arguments) throws IOException {
    String others =
        Arrays.stream(Jvm.classPath().split(File.pathSeparator))
            .filter(EarlierNodeTest::isNoPartOfKarmi)
            .collect(Collectors.joining(File.pathSeparator));
    return Jvm.start(
        Path.of(System.getProperty("java.home")), earlier + File.pathSeparator + others, arguments);
  }

  private static boolean isNoPartOfKarmi(String entry) {
    String path = entry.replace(File.separatorChar, '/');
    return path.contains("technologies/contract/")
        || path.contains("technologies/kit/")
        || path.contains("/io/karmi/test-kit/")
        || path.contains("/io/karmi/technology-contract/")
        || path.endsWith("/test-classes")
        || path.contains("/.m2/") && !path.contains("/io/karmi/");
  }

  private static Timed timedOf(Jvm jvm) throws Exception {
    int port = Integer.parseInt(jvm.awaitLine("port "));
    return (Timed) LocateRegistry.getRegistry("localhost", port).lookup("timed");
  }

  private void assertExchanged() throws InterruptedException {
    assertThat(client.everything())
        .containsExactly(
            "sleeps",
            "has slept",
            "called back 1",
            "given its own 1",
            "given back 8",
            "later 2",
            "thrown own",
            "equal true");
  }

  @Test
  public void earlierNodeIsCalledCallsBackAndIsGivenReferences() throws Exception {
    server = startEarlier(TimedMain.class.getName(), "serve");
    String port = server.awaitLine("port ");
    client = Jvm.start(TimedMain.class.getName(), "exchange", port);
    assertExchanged();
  }

  @Test
  public void earlierNodeCallsIsCalledBackAndGivesReferences() throws Exception {
    server = Jvm.start(TimedMain.class.getName(), "serve");
    String port = server.awaitLine("port ");
    client = startEarlier(TimedMain.class.getName(), "exchange", port);
    assertExchanged();
  }

  private static final String INTERCEPTED = "-Dkarmi.test.loaded=true";

  @Test
  public void earlierNodeTakesMessagesOfOneWithInterceptors() throws Exception {
    server = startEarlier(Inbox.class.getName());
    String port = server.awaitLine("port ");
    client = Jvm.start(INTERCEPTED, Inbox.class.getName(), "ask", port);
    assertThat(client.awaitLine("answered ")).isEqualTo("8");
  }

  @Test
  public void earlierNodeSendsMessagesToOneWithInterceptors() throws Exception {
    server = Jvm.start(INTERCEPTED, Inbox.class.getName());
    String port = server.awaitLine("port ");
    client = startEarlier(Inbox.class.getName(), "ask", port);
    assertThat(client.awaitLine("answered ")).isEqualTo("8");
    server.awaitLinesWith("loaded received Later {}", 1);
    server.awaitLinesWith("loaded received Note {}", 1);
  }

  @Test
  public void earlierNodeIsCalledAndEndsAsItDid() throws Exception {
    server = startEarlier(TimedMain.class.getName(), "serve");
    Timed timed = timedOf(server);
    for (int i = 0; i < 100; i++) {
      assertThat(timed.echo(i)).isEqualTo(i);
    }
    FutureTask<Integer> running = new FutureTask<>(() -> timed.sleep(5_000));
    new Thread(running).start();
    server.awaitLine("sleeps");
    server.ask("shutdown 600000", "ends");
    awaitRefusal(timed);
    assertThat(running.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(server.awaitLine("in time ")).isEqualTo("true");
  }

  private static void awaitRefusal(Timed ending) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() - end < 0) {
      try {
        ending.echo(1);
      } catch (RemoteException e) {
        return;
      }
    }
    throw new AssertionError("calls are not refused");
  }

  @Test
  public void earlierNodeCallsAndIsRefusedInGoodOrder() throws Exception {
    server = Jvm.start(TimedMain.class.getName(), "serve");
    int port = Integer.parseInt(server.awaitLine("port "));
    client = startEarlier(TimedMain.class.getName(), "call", String.valueOf(port), "5000");
    server.awaitLine("sleeps");
    server.ask("shutdown 600000", "ends");
    assertThat(client.awaitLine("slept ")).as("the call that ran").isEqualTo("1");
    String problem = client.awaitLine("Exception in thread \"main\" ");
    // An earlier node is not told of the end: its next call meets a closed port, or the connection
    // that is being closed.
    assertThat(problem).matches("java\\.rmi\\.(Connect|Unmarshal)Exception: .*");
    assertThat(server.awaitLine("in time ")).isEqualTo("true");
  }
}
