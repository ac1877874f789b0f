package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.server.ExchangeServer;
import io.karmi.exchange.server.FirstServer;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Groups with objects that came from other groups. */
public class DedupTest {
  private static final List<String> ON = List.of("-Dkarmi.exchange.dedup=true");
  private static final int URLS = 5000;

  @ClassRule public static final TemporaryFolder FILES = new TemporaryFolder();
  private static ExchangeServer server;
  private static ExchangeSpace space;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @BeforeClass
  public static void join() throws Exception {
    System.setProperty("karmi.exchange.dir", FILES.getRoot().toString());
    System.setProperty("karmi.exchange.dedup", "true");
    server = FirstServer.start(0);
    space = ExchangeSpace.join("//localhost:" + server.port() + "/exchange");
  }

  @AfterClass
  public static void leave() {
    space.close();
    server.close();
    System.clearProperty("karmi.exchange.dir");
    System.clearProperty("karmi.exchange.dedup");
  }

  @Test
  public void ranksOfUrlsThatCameFromAGroupTakeLessThan60PercentOfTheBytes() throws Exception {
    try (Cluster cluster = new Cluster(folder.getRoot().toPath())) {
      Jvm owner = cluster.member("a");
      String urls = owner.ask("urls " + URLS, "ok ");
      Jvm without = cluster.member("b");
      Jvm ranker = cluster.member(ON, "c");
      without.ask("open " + urls, "ok ");
      ranker.ask("open " + urls, "ok ");
      String whole = without.ask("ranks " + urls, "ok ");
      String ranks = ranker.ask("ranks " + urls, "ok ");
      long wholeBytes = Long.parseLong(without.ask("length " + whole, "ok "));
      long bytes = Long.parseLong(ranker.ask("length " + ranks, "ok "));
      System.out.println("bytes with dedup " + bytes + ", without " + wholeBytes);
      assertThat(bytes).isLessThan(wholeBytes * 6 / 10);
      Jvm reader = cluster.member(ON, "d");
      assertThat(reader.ask("ranked " + urls + " " + ranks, "ok ")).isEqualTo("true " + URLS);
      assertThat(without.ask("ranked " + urls + " " + ranks, "ok ")).isEqualTo("true 0");
    }
  }

  @Test
  public void groupsLiveAsLongAsOthersHaveTheirObjects() throws Exception {
    try (Cluster cluster = new Cluster(folder.getRoot().toPath())) {
      Jvm owner = cluster.member("a");
      String urls = owner.ask("urls " + URLS, "ok ");
      Jvm ranker = cluster.member(ON, "a");
      ranker.ask("open " + urls, "ok ");
      String ranks = ranker.ask("ranks " + urls, "ok ");
      ranker.ask("close " + urls, "ok ");
      owner.ask("close " + urls, "ok ");
      owner.kill();
      Jvm reader = cluster.member("b");
      assertThat(reader.ask("ranked " + urls + " " + ranks, "ok ")).startsWith("true");
      reader.kill();
      ranker.ask("close " + ranks, "ok ");
      Deadline.await(
          "no file is left",
          () -> {
            ranker.ask("gc", "ok ");
            return cluster.files("a").isEmpty();
          });
    }
  }

  @Test
  public void objectsOfTheSameJvmAreTheVeryOnes() throws Exception {
    int[] numbers = new int[100];
    String text = "a text of many characters";
    Group<Object[]> first = space.put(new Object[] {numbers, text, "short"});
    Object[] came = first.object();
    Group<Object[]> second = space.put(new Object[] {came[1], came[0], came[0], came[2], came});
    Object[] again = second.object();
    assertThat(again[0]).isSameAs(came[1]).isEqualTo(text);
    assertThat(again[1]).isSameAs(came[0]);
    assertThat(again[2]).isSameAs(came[0]);
    assertThat(again[3]).isEqualTo("short");
    Object[] copied = second.copy();
    assertThat(copied[1]).isSameAs(copied[2]).isNotSameAs(came[0]).isEqualTo(numbers);
    /* Of what third has, nothing is of second: it is first's. */
    Group<Object[]> third = space.put(new Object[] {again[1]});
    first.close();
    second.close();
    assertThat((int[]) third.object()[0]).isEqualTo(numbers);
  }

  @Test
  public void objectsThatWerePutAreNotThoseOfTheGroup() throws Exception {
    byte[] bytes = new byte[1000];
    try (Group<byte[]> first = space.put(bytes);
        Group<byte[]> second = space.put(bytes)) {
      bytes[0] = 1; // the program may change what it has put
      assertThat(space.put(bytes).object()[0]).isEqualTo((byte) 1);
      assertThat(first.object()[0]).isEqualTo(second.object()[0]).isEqualTo((byte) 0);
    }
  }

  private static void assertIsRefused(Object root, String... words) throws IOException {
    try (Group<Object> hostile = space.put(root)) {
      assertThatThrownBy(hostile::object)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(words);
      assertThatThrownBy(hostile::copy)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(words);
    }
  }

  /** Says that it is a text, and refers to an object of a group. */
  private static final class Typed implements Serializable {
    private static final long serialVersionUID = 1;
    private static External said;
    private String text = "";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.putFields().put("text", said);
      out.writeFields();
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Test
  public void whatIsSaidOfOtherGroupsIsAClaim() throws Exception {
    Group<int[]> other = space.put(new int[100]);
    for (int number : new int[] {-1, 1, 1000, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertIsRefused(
          new External(other, number), "object " + number + " of group " + other.address());
    }
    assertIsRefused(new External("no group", 0), "no group");
    Typed.said = new External(other, 0);
    assertIsRefused(new Typed(), "cannot be read");
    GroupAddress gone = new GroupAddress(1 << 20, 1 << 24, 1);
    assertIsRefused(new External(Spaces.joined(space).hold(gone), 0), "is lost", gone.toString());
  }

  /** Of a group so large that it has a file of its own, whose address is known before. */
  private static Object[] large(GroupAddress refersTo) {
    Object[] root = new Object[100_000];
    Arrays.fill(root, 1, root.length, (byte) 1);
    root[0] = new External(Spaces.joined(space).hold(refersTo), 0);
    return root;
  }

  private static GroupAddress after(GroupAddress group, int count) {
    return new GroupAddress(
        group.member(), group.sequence() + ((long) count << 24), group.generation());
  }

  @Test
  public void circlesAreRefusedAndWaitForNoOne() throws Exception {
    GroupAddress last = space.put(new byte[100_000]).address();
    Group<Object> self = space.put((Object) large(after(last, 1)));
    assertThat(self.address()).isEqualTo(after(last, 1));
    assertThatThrownBy(self::object).isInstanceOf(IOException.class).hasMessageContaining("circle");
    Group<Object> one = space.put((Object) large(after(last, 3)));
    Group<Object> two = space.put((Object) large(one.address()));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int i = 0; i < 10; i++) {
        Future<?> first = threads.submit(one::object);
        Future<?> second = threads.submit(two::object);
        for (Future<?> each : List.of(first, second)) {
          assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
              .hasCauseInstanceOf(IOException.class)
              .hasMessageContaining("circle");
        }
      }
    } finally {
      threads.shutdown();
    }
  }
}
