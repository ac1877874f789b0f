package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.kit.KeptLog;
import io.karmi.technology.CallDeadline;
import java.io.IOException;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Interceptors, authorizers and deadlines of nodes, on both ends of a call. */
public class WatchedCallsTest {
  interface Clock extends Remote {
    long leftMillis() throws RemoteException;

    void fail() throws RemoteException;
  }

  private static final class Watch implements Clock {
    int calls;

    @Override
    public long leftMillis() {
      calls++;
      CallDeadline deadline = CallDeadline.current();
      return deadline == null ? -1 : deadline.leftMillis();
    }

    @Override
    public void fail() {
      throw new IllegalStateException("stopped");
    }
  }

  /** Writes down what it is told. */
  private static final class Diary implements CallInterceptor {
    final List<String> entries = Collections.synchronizedList(new ArrayList<>());

    @Override
    public Ended calling(Call call, Map<String, String> header) {
      header.put("greeting", "hello");
      return written("calls " + name(call));
    }

    @Override
    public Ended called(Call call, Map<String, String> header) {
      return written("called " + name(call) + " " + header.get("greeting"));
    }

    private Ended written(String text) {
      entries.add(text);
      return problem -> entries.add(text + (problem == null ? " ends" : " fails"));
    }

    private static String name(Call call) {
      return call.method().substring(0, call.method().indexOf('('));
    }
  }

  private static final class FailingAtTheEnd implements CallInterceptor {
    @Override
    public Ended calling(Call call, Map<String, String> header) {
      return problem -> {
        throw new IllegalStateException("at the end");
      };
    }
  }

  private static final int MANY = 100;

  private final LoopbackNodes nodes = new LoopbackNodes();
  private final Watch watch = new Watch();
  private Node server;
  private Node client;
  private Clock clock;
  private ServerRef entry;

  @Before
  public void exportClock() throws IOException {
    server = nodes.open();
    client = nodes.open();
    entry = nodes.export(server, Clock.class, watch);
    clock = LoopbackNodes.stub(client, Clock.class, entry.id());
  }

  @After
  public void closeNodes() {
    nodes.close();
  }

  @Test
  public void interceptorsAreToldOfBothEndsOfACall() throws Exception {
    Diary calling = new Diary();
    Diary called = new Diary();
    client.add(calling);
    server.add(called);
    clock.leftMillis();
    assertThatThrownBy(clock::fail).isInstanceOf(IllegalStateException.class);
    assertThat(calling.entries)
        .containsExactly(
            "calls leftMillis", "calls leftMillis ends", "calls fail", "calls fail fails");
    assertThat(called.entries)
        .as("with the header of the caller's interceptor")
        .containsExactly(
            "called leftMillis hello",
            "called leftMillis hello ends",
            "called fail hello",
            "called fail hello fails");
  }

  @Test
  public void anInterceptorThatFailsWarnsAFewTimes() throws Exception {
    client.add(new FailingAtTheEnd());
    try (KeptLog log = new KeptLog(CallInterceptor.class.getName(), Level.WARNING)) {
      for (int i = 0; i < MANY; i++) {
        clock.leftMillis();
      }
      assertThat(log.lines())
          .hasSizeBetween(1, MANY / 2)
          .allMatch(line -> line.startsWith("an interceptor failed"));
    }
  }

  @Test
  public void interceptorsAreToldOfLocalCallsToo() throws Exception {
    Diary diary = new Diary();
    server.add(diary);
    ((Clock) entry.stub()).leftMillis();
    assertThat(diary.entries).contains("calls leftMillis", "called leftMillis hello ends");
  }

  @Test
  public void technologyThatIsAddedLaterIsWatchedToo() throws Exception {
    Node late = nodes.alone();
    Diary diary = new Diary();
    late.add(diary);
    late.add(new LoopbackTechnology(late.upCall()));
    LoopbackNodes.stub(late, Clock.class, entry.id()).leftMillis();
    assertThat(diary.entries).contains("calls leftMillis ends");
  }

  @Test
  public void callThatIsNotAuthorizedIsNotExecuted() throws Exception {
    server.add(
        (call, caller) -> {
          if (call.method().startsWith("leftMillis")) {
            throw new AccessException("nothing is said about time");
          }
        });
    assertThat(server.isAuthorizing()).isTrue();
    assertThatThrownBy(clock::leftMillis)
        .isInstanceOf(AccessException.class)
        .hasMessage("nothing is said about time");
    assertThat(watch.calls).isZero();
    assertThat(server.counters()).containsEntry("callsRefused", 1L);
    assertThatThrownBy(clock::fail).hasMessage("stopped");
  }

  @Test
  public void callIsRefusedWhereTheAuthorizerFails() throws Exception {
    server.add(
        (call, caller) -> {
          throw new IllegalStateException("no connection to the directory");
        });
    assertThatThrownBy(clock::leftMillis)
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("could not be decided")
        .hasMessageNotContaining("directory");
    assertThat(watch.calls).isZero();
  }

  @Test
  public void deadlineOfTheNodeTravelsWithTheCall() throws Exception {
    assertThat(clock.leftMillis()).as("without a limit").isEqualTo(-1);
    client.limitCalls(600_000);
    assertThat(clock.leftMillis()).isBetween(1L, 600_000L);
  }

  @Test
  public void soonerDeadlineOfTheThreadCounts() throws Exception {
    client.limitCalls(600_000);
    CallDeadline outer = CallDeadline.enter(CallDeadline.in(300_000, "the test"));
    try {
      assertThat(clock.leftMillis()).isBetween(1L, 300_000L);
    } finally {
      CallDeadline.leave(outer);
    }
  }
}
