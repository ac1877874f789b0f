package io.karmi.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.Karmi;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;

public class ShutdownTest {
  private static final long SECONDS = 90;

  private Jvm first;
  private Jvm second;

  @After
  public void end() {
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
  }

  private static Timed timedOf(Jvm jvm) throws Exception {
    int port = Integer.parseInt(jvm.awaitLine("port "));
    return (Timed) LocateRegistry.getRegistry("localhost", port).lookup("timed");
  }

  private static FutureTask<Integer> sleeping(Timed timed, long millis) {
    FutureTask<Integer> call = new FutureTask<>(() -> timed.sleep(millis));
    new Thread(call).start();
    return call;
  }

  @Test
  public void runningCallsEndAndNewOnesGoToTheNextReplica() throws Exception {
    first = Jvm.start(TimedMain.class.getName(), "serve");
    second = Jvm.start(TimedMain.class.getName(), "serve");
    Timed ending = timedOf(first);
    Timed either = (Timed) Karmi.replicated(ending, timedOf(second));
    assertThat(either.echo(1)).isEqualTo(1);
    FutureTask<Integer> running = sleeping(ending, 300_000);
    first.awaitLine("sleeps");
    first.ask("shutdown 600000", "ends");
    awaitRefusal(ending);
    assertThatThrownBy(() -> ending.echo(1))
        .as("not even sent")
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("not sent");
    for (int i = 0; i < 20; i++) {
      assertThat(either.echo(i)).as("by the other one").isEqualTo(i);
    }
    first.tell("awake");
    assertThat(running.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(first.awaitLine("in time ")).isEqualTo("true");
  }

  /** Calls that come before this one has learnt that the node ends are served, or refused there. */
  private static void awaitRefusal(Timed ending) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() - end < 0) {
      try {
        ending.echo(1);
      } catch (ConnectException | ConnectIOException e) {
        if (e.getMessage().contains("not sent")) {
          return;
        }
      }
    }
    throw new AssertionError("calls are still sent");
  }

  @Test
  public void callsThatTakeLongerThanTheLimitAreLost() throws Exception {
    first = Jvm.start(TimedMain.class.getName(), "serve");
    Timed ending = timedOf(first);
    FutureTask<Integer> running = sleeping(ending, 300_000);
    first.awaitLine("sleeps");
    first.ask("shutdown 1000", "ends");
    assertThat(first.awaitLine("in time ")).isEqualTo("false");
    assertThatThrownBy(() -> running.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(RemoteException.class);
  }

  @Test
  public void jvmThatExitsLetsRunningCallsEndIfItWasAskedTo() throws Exception {
    first = Jvm.start("-Dkarmi.drainOnExit=600000", TimedMain.class.getName(), "serve");
    Timed ending = timedOf(first);
    FutureTask<Integer> running = sleeping(ending, 5000);
    first.awaitLine("sleeps");
    first.ask("exit", "has slept");
    assertThat(running.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(first.ended()).isTrue();
  }

  @Test
  public void programThatUsesANodeForTheFirstTimeWhileItExitsMayDoSo() throws Exception {
    Jvm.Result result =
        Jvm.java("-Dkarmi.drainOnExit=1000", "-cp", Jvm.classPath(), LateMain.class.getName());
    assertThat(result.out())
        .contains("call: answered")
        .contains("space: java.io.IOException: the JVM is about to end");
  }
}
