package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Test;

/** Messages that go to several nodes at a time. */
public class SeveralReceiversTest {
  private static final int PIECES = 5_000;

  private final TestHost sender = new TestHost(Map.of());
  private final List<TestHost> receivers =
      Stream.generate(() -> new TestHost(Map.of())).limit(3).toList();
  private final List<List<Object>> arrived = new ArrayList<>();

  /** Counts how often one of it is marshalled. */
  static class Counted implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicInteger WRITTEN = new AtomicInteger();

    final int number;

    Counted(int number) {
      this.number = number;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      WRITTEN.incrementAndGet();
      out.defaultWriteObject();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Counted && ((Counted) other).number == number;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  record Piece(int number, String name, List<Integer> more) implements Serializable {}

  record Large(Counted counted, List<Piece> pieces) implements Serializable {}

  /** Is large each time: what one needs is known from the last one of its class. */
  record Huge(Large large) implements Serializable {}

  record Small(int number) implements Serializable {}

  /** Cannot be marshalled, behind objects that can. */
  record Broken(Large large, Object content) implements Serializable {}

  @After
  public void close() {
    sender.messaging.close();
    receivers.forEach(each -> each.messaging.close());
  }

  private Address[] listening() {
    for (TestHost each : receivers) {
      List<Object> here = Collections.synchronizedList(new ArrayList<>());
      arrived.add(here);
      each.messaging.receive(Serializable.class, (message, from) -> here.add(message));
    }
    return receivers.stream().map(each -> each.messaging.address()).toArray(Address[]::new);
  }

  private static Large large(int number) {
    return large(number, PIECES);
  }

  private static Large large(int number, int pieces) {
    return new Large(
        new Counted(number),
        new ArrayList<>(
            IntStream.range(0, pieces)
                .mapToObj(i -> new Piece(i, "piece " + i, List.of(i, number)))
                .toList()));
  }

  private void awaitEverywhere(List<?> messages) throws Exception {
    for (List<Object> here : arrived) {
      Deadline.await("all", () -> here.size() >= messages.size());
      assertThat(List.copyOf(here)).isEqualTo(messages);
    }
  }

  @Test
  public void aMessageThatTakesLongIsMarshalledOnceAndArrivesEverywhere() throws Exception {
    Address[] to = listening();
    int before = Counted.WRITTEN.get();
    List<Huge> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sent.add(new Huge(large(i)));
      sender.messaging.sendOrdered(sent.get(i), to);
    }
    awaitEverywhere(sent);
    assertThat(Counted.WRITTEN.get() - before).isEqualTo(20);
  }

  @Test
  public void unorderedOnesArriveOnceEach() throws Exception {
    Address[] to = listening();
    for (int i = 0; i < 200; i++) {
      sender.messaging.send(large(i, 50), to);
      sender.messaging.send(new Small(i), to[i % to.length]);
    }
    for (List<Object> here : arrived) {
      Deadline.await("large ones", () -> numbers(here).size() >= 200);
      assertThat(numbers(here)).doesNotHaveDuplicates();
    }
    Deadline.await("small ones", () -> arrived.stream().mapToInt(List::size).sum() == 800);
  }

  private static List<Integer> numbers(List<Object> here) {
    return Stream.of(here.toArray())
        .filter(each -> each instanceof Large)
        .map(each -> ((Large) each).counted().number)
        .toList();
  }

  @Test
  public void theyKeepTheirPlaceAmongOrderedMessagesToOneNode() throws Exception {
    Address[] to = listening();
    List<List<Object>> expected = new ArrayList<>();
    IntStream.range(0, to.length).forEach(i -> expected.add(new ArrayList<>()));
    for (int i = 0; i < 300; i++) {
      Serializable shared = i % 3 == 0 ? new Small(i) : large(i, i % 7 == 0 ? PIECES : i);
      sender.messaging.sendOrdered(shared, to);
      expected.forEach(each -> each.add(shared));
      Serializable single = i % 2 == 0 ? new Piece(i, "p", List.of(i)) : large(i, 2);
      sender.messaging.sendOrdered(single, to[i % to.length]);
      expected.get(i % to.length).add(single);
    }
    for (int i = 0; i < to.length; i++) {
      List<Object> here = arrived.get(i);
      List<Object> all = expected.get(i);
      Deadline.await("all", () -> here.size() >= all.size());
      assertThat(List.copyOf(here)).isEqualTo(all);
    }
  }

  @Test
  public void whoCannotReadItGetsWhatFollowsAndTheOthersAll() throws Exception {
    Address[] to = listening();
    receivers.get(1).missing.add(Piece.class.getName());
    List<Object> sent = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sent.add(large(i, 100));
      sent.add(new Small(i));
      sender.messaging.sendOrdered(large(i, 100), to);
      sender.messaging.sendOrdered(new Small(i), to);
    }
    List<Object> without = arrived.remove(1);
    awaitEverywhere(sent);
    Deadline.await("small ones", () -> without.size() >= 100);
    assertThat(without).isEqualTo(IntStream.range(0, 100).mapToObj(Small::new).toList());
    assertThat(receivers.get(1).messaging.counters()).containsEntry("messagesUnread", 100L);
  }

  @Test
  public void aNodeThatIsGoneIsToldAndThoseBeforeItGetTheMessage() throws Exception {
    Address[] to = listening();
    sender.messaging.sendOrdered(large(0), to);
    awaitEverywhere(List.of(large(0)));
    receivers.get(1).messaging.close();
    assertThatThrownBy(() -> sender.messaging.sendOrdered(large(1), to))
        .isInstanceOf(RemoteException.class);
    arrived.remove(1);
    sender.messaging.sendOrdered(large(2), to[0], to[2]);
    Deadline.await("the last", () -> numbers(arrived.get(1)).contains(2));
    Deadline.await("the last", () -> numbers(arrived.get(0)).contains(2));
    assertThat(numbers(arrived.get(0))).containsExactly(0, 1, 2);
    assertThat(numbers(arrived.get(1))).containsExactly(0, 2);
  }

  @Test
  public void oneThatCannotBeMarshalledGoesToNoneAndHarmsNoOther() throws Exception {
    Address[] to = listening();
    List<Object> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(
              () -> sender.messaging.sendOrdered(new Broken(large(7, 10), new Object()), to))
          .isInstanceOf(MarshalException.class);
      sent.add(large(i, 10));
      sender.messaging.sendOrdered((Large) sent.get(i), to);
    }
    awaitEverywhere(sent);
  }
}
