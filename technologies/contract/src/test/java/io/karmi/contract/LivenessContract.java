package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.ObjectId;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Calls of a callee whose process is stopped, while they wait and while they are sent; and of one
 * that is merely busy.
 */
@RunWith(SideBySide.class)
public abstract class LivenessContract {
  private static final long SECONDS = 60;
  private static final String KEEP_ALIVE_MILLIS = "4000";
  private static final long SLOW_MILLIS = 10_000;

  /** Its late reply, to a caller that has given up, is sent while the next call waits. */
  private static final long STOPPED_MILLIS = 6000;

  private static final String WRITE_MILLIS = "1500";

  /** More than a network takes for a process that reads nothing. */
  private static final int LONG_BYTES = 48 << 20;

  /**
   * Opens one more instance of the technology.
   *
   * @param settings names and values, in turn, in place of the system properties
   */
  protected abstract Technology open(UpCall upCall, String... settings) throws IOException;

  /** What opens it in another JVM. */
  protected abstract Class<? extends TechnologyProvider> provider();

  @Test
  public void callOfAStoppedProcessIsGivenUpAndNothingIsTakenForItsReply() throws Exception {
    try (Technology client = open(Nodes.caller(), "karmi.keepAlive", KEEP_ALIVE_MILLIS);
        Jvm peer = PeerMain.startSlow(provider(), STOPPED_MILLIS, 2)) {
      ObjectId target = PeerMain.object(peer);
      FutureTask<Integer> call = started(client, target, 1);
      peer.awaitLine(PeerMain.CALLED);
      peer.signal("STOP");
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(UnmarshalException.class)
          .hasMessageContaining("no sign of life for " + KEEP_ALIVE_MILLIS + " ms")
          .hasMessageContaining("karmi.keepAlive")
          .hasMessageContaining("node " + target.node())
          .hasMessageContaining("may have been executed")
          .hasMessageContaining("process is stopped")
          .hasCauseInstanceOf(SocketTimeoutException.class);
      peer.signal("CONT");
      assertThat(Nodes.next(client, target, 100)).as("its own reply").isEqualTo(101);
      assertThat(client.counters())
          .as("the first is closed")
          .containsEntry("connectionsOpened", 1L);
    }
  }

  @Test
  public void busyCalleeIsWaitedForAndTheConnectionIsUsedAgain() throws Exception {
    try (Technology client = open(Nodes.caller(), "karmi.keepAlive", KEEP_ALIVE_MILLIS);
        Jvm peer = PeerMain.startSlow(provider(), SLOW_MILLIS, 2, "-Dkarmi.keepAlive=0")) {
      ObjectId target = PeerMain.object(peer);
      FutureTask<Integer> other = started(client, target, 7);
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      assertThat(other.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(8);
      assertThat(Nodes.next(client, target, 2)).isEqualTo(3);
      assertThat(client.counters()).containsEntry("connectionsOpened", 2L);
    }
  }

  @Test
  public void stoppedProcessIsWaitedForWhereNothingElseWasAskedFor() throws Exception {
    try (Technology client = open(Nodes.caller(), "karmi.keepAlive", "0");
        Jvm peer = PeerMain.startSlow(provider(), SLOW_MILLIS, 1)) { // is stopped before it answers
      ObjectId target = PeerMain.object(peer);
      FutureTask<Integer> call = started(client, target, 1);
      peer.awaitLine(PeerMain.CALLED);
      peer.signal("STOP");
      assertThatThrownBy(() -> call.get(3, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
      peer.signal("CONT");
      assertThat(call.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(2);
    }
  }

  @Test
  public void callThatAStoppedProcessDoesNotTakeIsGivenUpAfterTheWriteTimeout() throws Exception {
    try (Technology client = open(Nodes.caller(), "karmi.writeTimeout", WRITE_MILLIS);
        Jvm peer = PeerMain.startSlow(provider(), 1, 3)) {
      ObjectId target = PeerMain.object(peer);
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      peer.signal("STOP");
      FutureTask<Integer> call =
          new FutureTask<>(() -> Nodes.nextAfterBytes(client, target, LONG_BYTES, 1));
      new Thread(call).start();
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(MarshalException.class)
          .hasMessageContaining("nothing taken for " + WRITE_MILLIS + " ms (karmi.writeTimeout)")
          .hasMessageContaining("node " + target.node())
          .hasMessageContaining("has not been executed")
          .hasCauseInstanceOf(SocketTimeoutException.class);
      assertThat(client.counters()).as("it is closed").containsEntry("connectionsOpened", 0L);
      peer.signal("CONT");
      assertThat(Nodes.next(client, target, 100)).isEqualTo(101);
      assertThat(peer.awaitLinesWith(PeerMain.CALLED, 2)).as("the short ones").hasSize(2);
    }
  }

  private static FutureTask<Integer> started(Technology client, ObjectId target, int value) {
    FutureTask<Integer> task = new FutureTask<>(() -> Nodes.next(client, target, value));
    new Thread(task).start();
    return task;
  }
}
