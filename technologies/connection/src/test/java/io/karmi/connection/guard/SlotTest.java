package io.karmi.connection.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.channel.Arrival;
import io.karmi.connection.channel.Introducer;
import io.karmi.contract.Callee;
import io.karmi.kit.Deadline;
import io.karmi.technology.ConnectionSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Before;
import org.junit.Test;

/** The only place of a node, and a second connection that wants it once the first may give way. */
public class SlotTest {
  private static final long PAUSE_MILLIS =
      TimeUnit.NANOSECONDS.toMillis(ConnectionLimit.LEAST_WAIT_NANOS) + 1;

  private final ConnectionSettings settings =
      new ConnectionSettings(Map.of("karmi.maxConnections", "1")::get);
  private final ConnectionLimit limit =
      new ConnectionLimit(
          new Introducer(new Callee((call, in, out) -> {}), settings),
          settings,
          new Watchdog("none", settings, new NoRounds()),
          1);
  private final Waiting first = new Waiting();
  private final Waiting second = new Waiting();
  private Slot place;

  @Before
  public void enter() throws Exception {
    place = limit.enter(first);
    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
  }

  @Test
  public void placeOfAnArrivalThatWasWaitedForIsTaken() throws Exception {
    assertThat(limit.enter(second)).isNotNull();
    Deadline.await("its thread need not wait any more", () -> first.inputEnded);
    assertThatThrownBy(() -> place.keep(false)).isInstanceOf(IOException.class);
    assertThat(place.pass(new Served(0))).isFalse();
  }

  @Test
  public void placeThatIsKeptIsTakenOnceItIsPassedOn() throws Exception {
    place.keep(false);
    assertThat(limit.enter(second)).as("the other end may take it for open").isNull();
    Deadline.await("the second is refused", () -> second.closed);
    Served served = new Served(1);
    assertThat(place.pass(served)).isTrue();
    assertThat(limit.enter(new Waiting())).isNotNull();
    assertThat(served.toldWhy).contains("karmi.maxConnections");
    assertThat(first.inputEnded).isFalse();
  }

  @Test
  public void placeOfAConnectionForMessagesIsTakenWhileItsKeyIsAwaited() throws Exception {
    place.keep(true);
    assertThat(limit.enter(second)).isNotNull();
    assertThat(place.pass(new Served(0))).isFalse();
  }

  @Test
  public void placeThatIsKeptIsGivenBack() throws Exception {
    place.keep(false);
    assertThat(place.giveBack()).isTrue();
    assertThat(limit.enter(second)).isNotNull();
  }

  /** A connection that has been waited for as long as the test says. */
  private static final class Served implements Slot.Occupant {
    private final long waitedNanos;
    private String toldWhy;

    Served(long waitedNanos) {
      this.waitedNanos = waitedNanos;
    }

    @Override
    public String peerName() {
      return "served";
    }

    @Override
    public long waitedNanos(long now) {
      return waitedNanos;
    }

    @Override
    public void giveWay(String reason) {
      toldWhy = reason;
    }
  }

  private static final class Waiting implements Arrival {
    private volatile boolean inputEnded;
    private volatile boolean closed;

    @Override
    public OutputStream output() {
      return new ByteArrayOutputStream();
    }

    @Override
    public void endInput() {
      inputEnded = true;
    }

    @Override
    public void endOutput() {
      closed = true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private static final class NoRounds implements Watchdog.Rounds {
    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public boolean release(long now) {
      return false;
    }

    @Override
    public void round(long now, long pauseNanos) {}

    @Override
    public void closedBy(String setting) {}
  }
}
