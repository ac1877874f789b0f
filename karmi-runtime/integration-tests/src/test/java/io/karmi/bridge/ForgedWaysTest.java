package io.karmi.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Two bridges, and a node that hands them references whose ways lead from one to the other. */
public class ForgedWaysTest {
  private static final int MOST_FORWARDS = 8;
  private static final int FEW_PLACES = 100;

  /** Of the runtime's own, which come and go; far fewer than a call that circles would take. */
  private static final int OTHER_THREADS = 24;

  private final List<Jvm> jvms = new ArrayList<>();
  private List<String> options;
  private List<Jvm> bridges;
  private Jvm forger;

  @Before
  public void startAll() throws Exception {
    startAll("-Dkarmi.bridge=true");
  }

  private void startAll(String option) throws Exception {
    options = List.of("-Dkarmi.bridge=true", option);
    Jvm first = start("uds,tcp", HubMain.class);
    Jvm second = start("uds,tcp", HubMain.class);
    bridges = List.of(first, second);
    forger = start("uds", ForgerMain.class, first.awaitLine("hub "), second.awaitLine("hub "));
    forger.awaitLine("ready");
  }

  private Jvm start(String technologies, Class<?> main, String... arguments) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "-Xmx64m",
                "-Dsun.rmi.transport.connectionTimeout=1000",
                "-Dkarmi.technologies=" + technologies,
                main.getName()));
    if (main == HubMain.class) {
      all.addAll(0, options);
    }
    all.addAll(List.of(arguments));
    Jvm jvm = Jvm.start(all.toArray(new String[0]));
    jvms.add(jvm);
    return jvm;
  }

  @After
  public void end() {
    jvms.forEach(Jvm::close);
  }

  private static int[] threads(Jvm bridge) {
    try {
      String[] counts = bridge.ask("threads", "threads ").split(" ");
      return new int[] {Integer.parseInt(counts[0]), Integer.parseInt(counts[1])};
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void callThatGoesInACircleIsRefusedAndItsThreadsAreGivenBack() throws Exception {
    int[] before = new int[bridges.size()];
    for (int i = 0; i < before.length; i++) {
      before[i] = threads(bridges.get(i))[0];
    }
    assertThat(forger.ask("circle", "result "))
        .startsWith("thrown java.rmi.ConnectException: ")
        .contains("has passed " + MOST_FORWARDS + " bridges")
        .contains("has not been executed");
    for (int i = 0; i < before.length; i++) {
      Jvm bridge = bridges.get(i);
      int most = before[i] + OTHER_THREADS;
      assertThat(threads(bridge)[1]).as("at a time, at bridge %d", i).isLessThan(most);
      int idle = before[i] + OTHER_THREADS / 2;
      Deadline.await("threads are given back", () -> threads(bridge)[0] < idle);
    }
    assertThat(forger.ask("chain 1", "result ")).as("the bridges serve others").isEqualTo("true");
  }

  @Test
  public void callPassesAsManyBridgesAsItMayAndNoMore() throws Exception {
    assertThat(forger.ask("chain " + MOST_FORWARDS, "result ")).isEqualTo("true");
    assertThat(forger.ask("chain " + (MOST_FORWARDS + 1), "result "))
        .startsWith("thrown java.rmi.ConnectException: ")
        .contains("has passed " + MOST_FORWARDS + " bridges");
  }

  @Test
  public void referencesWithLongNamesLeaveABridgeRoomForOthers() throws Exception {
    String forwarded = forger.ask("long 600", "result ");
    assertThat(Integer.parseInt(forwarded)).as("references").isBetween(1, 100);
    assertThat(forger.ask("chain 1", "result ")).as("the bridges serve others").isEqualTo("true");
  }

  @Test
  public void classesForListsOfInterfacesTakeRoomOfABridge() throws Exception {
    end();
    jvms.clear();
    startAll("-Dkarmi.internal.maxBridgedObjects=" + FEW_PLACES);
    String forwarded = forger.ask("lists", "result ");
    assertThat(Integer.parseInt(forwarded)).as("of 31 lists").isBetween(1, FEW_PLACES / 4);
    assertThat(forger.ask("chain 1", "result ")).as("the bridges serve others").isEqualTo("true");
  }
}
