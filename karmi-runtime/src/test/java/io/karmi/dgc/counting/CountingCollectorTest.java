package io.karmi.dgc.counting;

import static io.karmi.kit.Deadline.awaitCollecting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.dgc.Collector;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.OwnThreads;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** An owner and holders that talk through memory, over lines that can be lost. */
public class CountingCollectorTest extends CountingFixture {
  private final CountingCollector owner = open(new Line(null));
  private final ObjectId object =
      new ObjectId(ownerNode, OBJECT, new TechnologyId("memory", "owner"));
  private final List<CountingCollector> holders = new ArrayList<>();

  private CountingCollector open(Messenger messenger) {
    return new CountingCollector(messenger, exported, new OwnThreads());
  }

  private CountingCollector holder(Line line) {
    CountingCollector holder = open(line);
    holders.add(holder);
    return holder;
  }

  @After
  public void close() {
    holders.forEach(CountingCollector::close);
    owner.close();
  }

  /** The owner sends the reference to a holder, which gets it. */
  private Object send(Line to, CountingCollector holder) {
    long credit = owner.leaving(OBJECT, to.node);
    return holder.arrived(List.of(object), new long[] {credit}).get(0);
  }

  @Test
  public void ownerKnowsWhenTheFirstReferenceHasArrived() {
    Line line = new Line(NodeId.random());
    Object token = send(line, holder(line));
    assertThat(exported.held).containsExactly(OBJECT);
    assertThat(line.lines).hasSize(1);
    Reference.reachabilityFence(token);
  }

  @Test
  public void referencesFromTheOwnerNeedNoMessage() {
    Line line = new Line(NodeId.random());
    CountingCollector holder = holder(line);
    Object first = send(line, holder);
    int messages = line.messages.get();
    List<Object> tokens = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      tokens.add(send(line, holder));
    }
    assertThat(line.messages).hasValue(messages);
    assertThat(tokens).containsOnly(first);
  }

  @Test
  public void allThatWasCountedIsGivenBack() throws Exception {
    Line line = new Line(NodeId.random());
    CountingCollector holder = holder(line);
    Object other = otherObject(line, holder);
    for (int i = 0; i < 10; i++) {
      send(line, holder);
    }
    awaitCollecting("the object is let go", () -> !exported.held.contains(OBJECT));
    assertThat(exported.held).as("the other one").hasSize(1);
    assertThat(line.lines).as("the same line").hasSize(1);
    Reference.reachabilityFence(other);
  }

  /** Keeps the line open. */
  private Object otherObject(Line line, CountingCollector holder) {
    ObjectId other = new ObjectId(ownerNode, OBJECT + 1, object.technology(0));
    long credit = owner.leaving(OBJECT + 1, line.node);
    return holder.arrived(List.of(other), new long[] {credit}).get(0);
  }

  @Test
  public void referenceThatIsSentWhileItIsGivenBackStays() {
    NodeId node = NodeId.random();
    From from = new From(node);
    owner.receive(from, CountingMessage.open(5));
    assertThat(owner.leaving(OBJECT, node)).isEqualTo(5);
    assertThat(owner.leaving(OBJECT, node)).as("sent again").isEqualTo(5);
    owner.receive(from, new long[] {CountingMessage.RELEASE, 5, 1, OBJECT, 1});
    assertThat(exported.held).containsExactly(OBJECT);
    owner.receive(from, new long[] {CountingMessage.RELEASE, 5, 2, OBJECT, 1});
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void messageThatIsRepeatedCountsOnce() {
    From from = new From(NodeId.random());
    owner.receive(from, CountingMessage.open(5));
    owner.receive(from, CountingMessage.claim(5, 1, List.of(OBJECT)));
    owner.receive(from, CountingMessage.claim(5, 1, List.of(OBJECT)));
    owner.receive(from, new long[] {CountingMessage.RELEASE, 5, 2, OBJECT, 1});
    assertThat(exported.held).isEmpty();
    assertThat(exported.letGo).containsExactly(OBJECT);
  }

  @Test
  public void referenceThatDidNotArriveIsTakenBack() {
    NodeId node = NodeId.random();
    owner.receive(new From(node), CountingMessage.open(5));
    owner.notArrived(OBJECT, owner.leaving(OBJECT, node));
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void lostLineIsTheEndOfItsReferences() {
    Line one = new Line(NodeId.random());
    Line two = new Line(NodeId.random());
    Object first = send(one, holder(one));
    Object second = send(two, holder(two));
    one.lose();
    assertThat(exported.held).as("the other still holds it").containsExactly(OBJECT);
    two.lose();
    assertThat(exported.held).isEmpty();
    assertThat(exported.letGo).containsExactly(OBJECT);
    Reference.reachabilityFence(List.of(first, second));
  }

  @Test
  public void holderThatHasLostItsLineClaimsEverythingAgain() {
    Line line = new Line(NodeId.random());
    CountingCollector holder = holder(line);
    Object other = otherObject(line, holder);
    line.lose();
    assertThat(exported.held).isEmpty();
    Object token = send(line, holder);
    assertThat(exported.held).containsExactlyInAnyOrder(OBJECT, OBJECT + 1);
    assertThat(line.lines).hasSize(2);
    Reference.reachabilityFence(List.of(other, token));
  }

  @Test
  public void lineIsClosedWhenNothingIsHeld() throws Exception {
    Line line = new Line(NodeId.random());
    CountingCollector holder = holder(line);
    send(line, holder);
    awaitCollecting("the object is let go", exported.held::isEmpty);
    awaitCollecting("the line is closed", () -> line.open.isEmpty());
    Object token = send(line, holder);
    assertThat(exported.held).as("held again").containsExactly(OBJECT);
    Reference.reachabilityFence(token);
  }

  @Test
  public void ownerThatCannotBeReachedIsToldLater() throws Exception {
    Line line = new Line(NodeId.random());
    line.cut = true;
    Object token = send(line, holder(line));
    assertThat(exported.held).isEmpty();
    line.cut = false;
    awaitCollecting("the owner is told", () -> exported.held.contains(OBJECT));
    Reference.reachabilityFence(token);
  }

  private Object arrived(CountingCollector holder, long number) {
    ObjectId reference = new ObjectId(ownerNode, number, object.technology(0));
    return holder.arrived(List.of(reference), new long[] {Collector.NO_CREDIT}).get(0);
  }

  @Test
  public void aReferenceThatCannotWaitForAnotherThreadsMessageIsClaimedLater() throws Exception {
    Line line = new Line(NodeId.random());
    CountingCollector holder = holder(line);
    Object first = send(line, holder);
    line.answers = new CountDownLatch(1);
    FutureTask<Object> second = new FutureTask<>(() -> arrived(holder, OBJECT + 1));
    new Thread(second, "waits for the owner").start();
    Deadline.await("it has sent its message", () -> line.waiting);
    line.leftMillis = 0;
    Object third = arrived(holder, OBJECT + 2);
    assertThat(exported.held).containsExactly(OBJECT);
    line.answers.countDown();
    awaitCollecting("it is claimed", () -> exported.held.contains(OBJECT + 2));
    assertThat(exported.held).containsExactlyInAnyOrder(OBJECT, OBJECT + 1, OBJECT + 2);
    Reference.reachabilityFence(List.of(first, second.get(), third));
  }

  @Test
  public void messagesWithoutSenseAreRefused() {
    From from = new From(NodeId.random());
    owner.receive(from, CountingMessage.open(5));
    assertThatThrownBy(() -> owner.receive(from, CountingMessage.open(5)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> owner.receive(from, new long[] {CountingMessage.CLAIM}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> owner.receive(from, new long[] {CountingMessage.RELEASE, 5, 1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> owner.receive(from, new long[] {99, 5, 1}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  public void accountBelongsToItsHolder() {
    From from = new From(NodeId.random());
    owner.receive(from, CountingMessage.open(5));
    owner.receive(from, CountingMessage.claim(5, 1, List.of(OBJECT)));
    From stranger = new From(NodeId.random());
    long[] theft = {CountingMessage.RELEASE, 5, 2, OBJECT, 1};
    assertThat(owner.receive(stranger, theft)).isEqualTo(CountingMessage.NO_ACCOUNT);
    assertThat(exported.held).containsExactly(OBJECT);
  }

  @Test
  public void strangerGetsNoCredit() {
    assertThat(owner.leaving(OBJECT, NodeId.random())).isEqualTo(Collector.NO_CREDIT);
    assertThat(exported.held).isEmpty();
  }

  /** The way from a holder to the owner. */
  private final class Line implements Messenger {
    final NodeId node;
    final AtomicInteger messages = new AtomicInteger();

    /** All that were ever opened. */
    final List<From> lines = new CopyOnWriteArrayList<>();

    final List<From> open = new CopyOnWriteArrayList<>();
    volatile boolean cut;

    /** Until then no message is answered. */
    volatile CountDownLatch answers = new CountDownLatch(0);

    /** Whether a thread has waited for that. */
    volatile boolean waiting;

    volatile long leftMillis = Long.MAX_VALUE;

    Line(NodeId node) {
      this.node = node;
    }

    @Override
    public long send(ObjectId anyObject, long[] message, long mostMillis) throws IOException {
      if (cut) {
        throw new IOException("the way is cut");
      }
      if (answers.getCount() > 0) {
        waiting = true;
      }
      try {
        answers.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      messages.incrementAndGet();
      return owner.receive(new From(node), message);
    }

    @Override
    public Closeable openLine(ObjectId anyObject, long[] message, long mostMillis)
        throws IOException {
      if (cut) {
        throw new IOException("the way is cut");
      }
      From line = new From(node);
      lines.add(line);
      open.add(line);
      owner.receive(line, message);
      return () -> {
        open.remove(line);
        line.gone();
      };
    }

    @Override
    public long leftMillis() {
      return leftMillis;
    }

    void lose() {
      open.forEach(From::gone);
      open.clear();
    }
  }
}
