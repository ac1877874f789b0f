package io.karmi.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.Karmi;
import io.karmi.contract.SideBySide;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import java.net.SocketTimeoutException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * What reaches a callee when its caller has given up, and the callees of that one: an interrupt
 * where it has been asked for, and nothing elsewhere.
 */
@RunWith(SideBySide.class)
public class GivenUpCallsTest {
  private static final String MAIN = TimedMain.class.getName();
  private static final long LONG_MILLIS = 60_000;

  /** Longer than an interrupt takes to arrive where it is asked for. */
  private static final long LEFT_ALONE_MILLIS = 2_500;

  /** More than a network takes for a process that reads nothing. */
  private static final int LONG_BYTES = 48 << 20;

  private Jvm callee;
  private String port;
  private Timed timed;

  @Before
  public void start() throws Exception {
    callee = Jvm.start(MAIN, "serve");
    port = callee.awaitLine("port ");
    timed = timedAt(port);
  }

  private static Timed timedAt(String port) throws Exception {
    return (Timed) LocateRegistry.getRegistry("localhost", Integer.parseInt(port)).lookup("timed");
  }

  @After
  public void end() {
    callee.close();
  }

  /** One method has asked for an interrupt, and one, which sleeps until it is told, has not. */
  private static void assertOnlyOneIsInterrupted(Jvm... callees) throws Exception {
    for (Jvm each : callees) {
      assertThat(each.awaitLinesWith("was interrupted", 1)).containsOnly("was interrupted false");
    }
    leaveAlone(callees);
    for (Jvm each : callees) {
      assertThat(each.awaitLinesWith("has slept", 1)).hasSize(1);
      assertThat(each.linesWith("was disturbed")).isEmpty();
    }
  }

  /** Wakes those who sleep, after a time in which nothing has to reach them. */
  private static void leaveAlone(Jvm... callees) throws Exception {
    TimeUnit.MILLISECONDS.sleep(LEFT_ALONE_MILLIS);
    for (Jvm each : callees) {
      each.tell("awake");
    }
  }

  @Test
  public void deathOfTheCallerReachesOnlyAMethodThatHasAskedForThat() throws Exception {
    List<Jvm> callees = new ArrayList<>();
    List<Jvm> callers = new ArrayList<>();
    try {
      for (String technologies : List.of("tcp", "uds,tcp", "shm,tcp")) {
        String setting = "-Dkarmi.technologies=" + technologies;
        Jvm served = Jvm.start(setting, MAIN, "serve");
        callees.add(served);
        callers.add(Jvm.start(setting, MAIN, "abandon", served.awaitLine("port ")));
      }
      for (int i = 0; i < callers.size(); i++) {
        callees.get(i).awaitLinesWith("sleeps", 2);
        callers.get(i).kill();
      }
      assertOnlyOneIsInterrupted(callees.toArray(new Jvm[0]));
    } finally {
      callers.forEach(Jvm::close);
      callees.forEach(Jvm::close);
    }
  }

  @Test
  public void interruptOfTheCallerThatReleasesItReachesOnlyAMethodThatHasAskedForThat()
      throws Exception {
    try (Jvm caller = Jvm.start("-Dkarmi.interruptible=true", MAIN, "abandon", port)) {
      callee.awaitLinesWith("sleeps", 2);
      caller.tell("interrupt");
      caller.awaitLinesWith("deaf failed UnmarshalException", 1);
      caller.awaitLinesWith("light failed UnmarshalException", 1);
      assertOnlyOneIsInterrupted(callee);
    }
  }

  @Test
  public void interruptOfACallerThatWaitsOnReachesNoMethod() throws Exception {
    FutureTask<Boolean> call =
        new FutureTask<>(() -> timed.sleepInterruptibly(LONG_MILLIS) == 2 && Thread.interrupted());
    Thread caller = new Thread(call);
    caller.start();
    callee.awaitLine("sleeps lightly");
    caller.interrupt();
    leaveAlone(callee);
    assertThat(call.get(60, TimeUnit.SECONDS)).as("left alone, and still interrupted").isTrue();
    assertThat(callee.linesWith("was interrupted")).isEmpty();
  }

  @Test
  public void cancelledFutureReachesNoMethodThatHasNotAskedForThat() throws Exception {
    CompletableFuture<Integer> future = timed.sleepOnMeanwhile(LONG_MILLIS);
    callee.awaitLine("sleeps");
    assertThat(future.cancel(true)).isTrue();
    leaveAlone(callee);
    callee.awaitLine("has slept");
    assertThat(callee.linesWith("was disturbed")).isEmpty();
  }

  @Test
  public void deadlineOfTheFirstCallerInterruptsTheLastCallee() throws Exception {
    try (Jvm last = Jvm.start(MAIN, "serve")) {
      Timed next = timedAt(last.awaitLine("port "));
      assertThatThrownBy(
              () ->
                  Karmi.withDeadline(
                      Duration.ofMillis(5000), () -> timed.relayInterruptibly(next, LONG_MILLIS)))
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("deadline of 5000 ms (Karmi.withDeadline)");
      assertThat(last.awaitLine("was interrupted ")).isEqualTo("false");
    }
  }

  @Test
  public void deathOfTheFirstCallerReachesTheLastCalleeWhereAllBetweenHaveAskedForThat()
      throws Exception {
    try (Jvm between = Jvm.start("-Dkarmi.interruptible=true", MAIN, "serve");
        Jvm first = Jvm.start(MAIN, "chain", between.awaitLine("port "), port)) {
      callee.awaitLine("sleeps lightly");
      first.kill();
      assertThat(between.awaitLine("gave up ")).isEqualTo("UnmarshalException");
      assertThat(callee.awaitLine("was interrupted ")).isEqualTo("false");
    }
  }

  @Test
  public void callThatAStoppedCalleeDoesNotTakeIsGivenUpAtItsDeadline() throws Exception {
    assertThat(timed.take(new byte[LONG_BYTES])).isEqualTo(LONG_BYTES);
    callee.signal("STOP");
    Callable<Integer> call = () -> timed.take(new byte[LONG_BYTES]);
    assertThatThrownBy(() -> Karmi.withDeadline(Duration.ofMillis(2000), call))
        .satisfies(GivenUpCallsTest::assertSaysThatItWasNotSent);
    Callable<CompletableFuture<Integer>> send = () -> timed.takeMeanwhile(new byte[LONG_BYTES]);
    CompletableFuture<Integer> future = Karmi.withDeadline(Duration.ofMillis(2000), send);
    assertThatThrownBy(() -> future.get(60, TimeUnit.SECONDS))
        .cause()
        .satisfies(GivenUpCallsTest::assertSaysThatItWasNotSent);
    callee.signal("CONT");
    assertThat(timed.take(new byte[7])).isEqualTo(7);
    assertThat(callee.awaitLinesWith("has taken", 2)).as("the first and the last").hasSize(2);
  }

  private static void assertSaysThatItWasNotSent(Throwable problem) {
    assertThat(problem)
        .isInstanceOf(MarshalException.class)
        .hasMessageContaining("deadline of 2000 ms (Karmi.withDeadline) has passed")
        .hasMessageContaining("has not been executed")
        .hasCauseInstanceOf(SocketTimeoutException.class);
  }

  @Test
  public void callBackThatAStoppedCallerDoesNotTakeIsGivenUpAfterTheWriteTimeout()
      throws Exception {
    try (Jvm served = Jvm.start("-Dkarmi.writeTimeout=1500", MAIN, "serve");
        Jvm caller = Jvm.start(MAIN, "feed", served.awaitLine("port "))) {
      served.awaitLine("feeds");
      caller.signal("STOP");
      served.tell("feed");
      assertThat(served.awaitLine("not fed "))
          .matches("MarshalException call to [0-9a-f.:]+ \\(node .*")
          .contains("has not been executed")
          .contains("kept waiting for longer than karmi.writeTimeout allows");
    }
  }

  @Test
  public void eachCallOfACalleeGetsWhatIsLeftAndNoneOfALaterCall() throws Exception {
    try (Jvm last = Jvm.start(MAIN, "serve")) {
      Timed next = timedAt(last.awaitLine("port "));
      long[] left = Karmi.withDeadline(Duration.ofSeconds(60), () -> timed.relayLeft(next, 300));
      assertThat(left[0]).isBetween(1L, 60_000L);
      assertThat(left[1]).as("after a pause of 300 ms").isBetween(1L, left[0] - 299);
      assertThat(left[2]).as("by a future, after that").isBetween(1L, left[1] + 1);
      assertThat(timed.relayLeft(next, 0)).as("without a deadline").containsExactly(-1, -1, -1);
    }
  }
}
