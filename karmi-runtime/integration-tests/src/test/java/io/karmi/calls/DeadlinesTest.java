package io.karmi.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.Karmi;
import io.karmi.contract.SideBySide;
import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import java.net.SocketTimeoutException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(SideBySide.class)
public class DeadlinesTest {
  private static final long LONG_MILLIS = 60_000;
  private static final Duration SHORT = Duration.ofMillis(4000);
  private static final ThreadLocal<String> ASKED = new ThreadLocal<>();

  private Jvm server;
  private Timed timed;

  @Before
  public void start() throws Exception {
    server = Jvm.start(TimedMain.class.getName(), "serve");
    timed = timedOf(server);
    assertThat(timed.echo(1)).isEqualTo(1);
  }

  private static Timed timedOf(Jvm jvm) throws Exception {
    int port = Integer.parseInt(jvm.awaitLine("port "));
    return (Timed) LocateRegistry.getRegistry("localhost", port).lookup("timed");
  }

  @After
  public void end() {
    server.close();
  }

  @Test
  public void callThatTakesTooLongIsGivenUpAndSaysSo() throws Exception {
    long begin = System.nanoTime();
    assertThatThrownBy(() -> Karmi.withDeadline(SHORT, () -> timed.sleep(LONG_MILLIS)))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining("deadline of 4000 ms (Karmi.withDeadline) has passed after ")
        .hasMessageContaining("sleep(J)I")
        .hasMessageContaining("may have been executed")
        .hasCauseInstanceOf(SocketTimeoutException.class);
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertThat(millis).isBetween(4000L, LONG_MILLIS / 2);
  }

  @Test
  public void lateReplyIsNotTakenForThatOfALaterCall() throws Exception {
    assertThatThrownBy(() -> Karmi.withDeadline(SHORT, () -> timed.sleep(8000)))
        .isInstanceOf(UnmarshalException.class);
    for (int i = 100; i < 200; i++) {
      assertThat(timed.echo(i)).isEqualTo(i);
    }
    server.awaitLine("has slept");
    for (int i = 100; i < 200; i++) {
      assertThat(timed.echo(i)).isEqualTo(i);
    }
  }

  @Test
  public void callInTimeIsAsWithoutADeadline() throws Exception {
    int result =
        Karmi.withDeadline(
            Duration.ofSeconds(60), () -> timed.echo(7) + timed.sleep(10) + timed.echo(9));
    assertThat(result).isEqualTo(17);
  }

  @Test
  public void nothingIsSentOnceTheTimeIsOver() throws Exception {
    assertThatThrownBy(
            () ->
                Karmi.withDeadline(
                    Duration.ofMillis(1),
                    () -> {
                      long end = System.nanoTime() + 3_000_000;
                      while (System.nanoTime() - end < 0) {
                        Thread.onSpinWait();
                      }
                      return timed.sleep(1);
                    }))
        .isInstanceOf(MarshalException.class)
        .hasMessageContaining("has not been executed");
    assertThat(timed.echo(2)).isEqualTo(2);
    assertThat(server.linesWith("sleeps")).isEmpty();
  }

  @Test
  public void innerLimitsMayOnlyBeSooner() throws Exception {
    assertThatThrownBy(
            () ->
                Karmi.withDeadline(
                    SHORT,
                    () -> Karmi.withDeadline(Duration.ofDays(9), () -> timed.sleep(LONG_MILLIS))))
        .hasMessageContaining("deadline of 4000 ms");
  }

  @Test
  public void whatACalleeCallsInheritsWhatIsLeft() throws Exception {
    try (Jvm other = Jvm.start(TimedMain.class.getName(), "serve")) {
      Timed next = timedOf(other);
      assertThatThrownBy(
              () ->
                  Karmi.withDeadline(Duration.ofMillis(8000), () -> timed.relay(next, LONG_MILLIS)))
          .hasMessageContaining("deadline of 8000 ms (Karmi.withDeadline)");
      String relayed = server.awaitLine("relayed deadline of ");
      assertThat(relayed).contains("ms (the caller's)");
      int left = Integer.parseInt(relayed.substring(0, relayed.indexOf(' ')));
      assertThat(left).isBetween(1, 8000);
    }
  }

  @Test
  public void methodIsInterruptedWhereItHasAskedForThat() throws Exception {
    assertThatThrownBy(() -> Karmi.withDeadline(SHORT, () -> timed.sleepInterruptibly(LONG_MILLIS)))
        .isInstanceOf(UnmarshalException.class);
    assertThat(server.awaitLine("was interrupted ")).isEqualTo("false");
    assertThatThrownBy(() -> Karmi.withDeadline(SHORT, () -> timed.sleep(8000)))
        .isInstanceOf(UnmarshalException.class);
    server.awaitLine("has slept");
    assertThat(server.linesWith("was disturbed")).isEmpty();
  }

  @Test
  public void cancelledFutureInterruptsAMethodThatHasAskedForThat() throws Exception {
    CompletableFuture<Integer> future = timed.sleepMeanwhile(LONG_MILLIS);
    server.awaitLine("sleeps lightly");
    assertThat(future.cancel(true)).isTrue();
    server.awaitLine("was interrupted ");
    assertThat(timed.sleepMeanwhile(1).get(60, TimeUnit.SECONDS)).isEqualTo(2);
    server.awaitLine("was left alone");
  }

  @Test
  public void interceptorMayGiveACallADeadline() throws Exception {
    Karmi.add(
        new CallInterceptor() {
          @Override
          public Ended calling(Call call, Map<String, String> header) {
            if (ASKED.get() != null) {
              header.put(CallInterceptor.DEADLINE, ASKED.get());
            }
            return Ended.UNHEARD;
          }
        });
    ASKED.set("4000");
    try {
      assertThatThrownBy(() -> timed.sleep(LONG_MILLIS))
          .isInstanceOf(UnmarshalException.class)
          .hasMessageContaining("deadline of 4000 ms (an interceptor)");
      ASKED.set("soon");
      assertThat(timed.sleep(10)).as("what is no number is no deadline").isEqualTo(1);
    } finally {
      ASKED.remove();
    }
  }

  @Test
  public void propertyLimitsEachCall() throws Exception {
    Jvm second = Jvm.start(TimedMain.class.getName(), "serve");
    try (second;
        Jvm client =
            Jvm.start(
                "-Dkarmi.callTimeout=8000",
                TimedMain.class.getName(),
                "call",
                second.awaitLine("port "),
                String.valueOf(LONG_MILLIS))) {
      assertThat(client.awaitLine("UnmarshalException deadline of 8000 ms (karmi.callTimeout)"))
          .contains("sleep(J)I");
      assertThat(client.awaitLine("echo ")).isEqualTo("7");
    }
  }
}
