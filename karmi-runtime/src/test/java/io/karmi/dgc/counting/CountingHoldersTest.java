package io.karmi.dgc.counting;

import static io.karmi.kit.Deadline.awaitCollecting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.dgc.Collector;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.OwnThreads;
import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.io.Closeable;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.After;
import org.junit.Test;

/** A count belongs to its holder and its owner: no other node leads it astray or speaks of it. */
public class CountingHoldersTest extends CountingFixture {
  private static final String OWNER = "owner";
  private static final String IMPOSTOR = "impostor";

  private final NodeId holderNode = NodeId.random();
  private final CountingCollector owner = open(new Ways());
  private final Ways ways = new Ways();
  private final CountingCollector holder = open(ways);

  /** What was said to a node that says it is the owner: kind and objects. */
  private final List<String> toImpostor = new CopyOnWriteArrayList<>();

  private CountingCollector open(Messenger messenger) {
    return new CountingCollector(messenger, exported, new OwnThreads());
  }

  @After
  public void close() {
    holder.close();
    owner.close();
  }

  private ObjectId at(String address, long number) {
    return new ObjectId(ownerNode, number, new TechnologyId("memory", address));
  }

  /** A reference whose address is the owner's; but a technology has found another node there. */
  private ObjectId found(long number, Object attachment) {
    ObjectId id = at(OWNER, number);
    id.technology(0).attach(attachment);
    return id;
  }

  private Object arrived(ObjectId reference, long credit) {
    return holder.arrived(List.of(reference), new long[] {credit}).get(0);
  }

  @Test
  public void referenceThatNamesAnotherPlaceLeadsNoCountAstray() throws Exception {
    Object first = arrived(at(OWNER, OBJECT), Collector.NO_CREDIT);
    Object forged = arrived(at(IMPOSTOR, OBJECT + 1), Collector.NO_CREDIT);
    Object second = arrived(at(OWNER, OBJECT + 2), Collector.NO_CREDIT);
    assertThat(exported.held).containsExactlyInAnyOrder(OBJECT, OBJECT + 2);
    assertThat(first).isNotNull();
    first = null;
    awaitCollecting(
        "the owner is told of the one that is dropped", () -> !exported.held.contains(OBJECT));
    assertThat(exported.held).containsExactly(OBJECT + 2);
    assertThat(toImpostor).containsExactly("open", "claim " + (OBJECT + 1));
    Reference.reachabilityFence(List.of(forged, second));
  }

  @Test
  public void referenceThatAnImpostorHasSentLeadsNoCountAstray() throws Exception {
    Object forged = arrived(found(OBJECT + 1, IMPOSTOR), Collector.NO_CREDIT);
    Object good = arrived(at(OWNER, OBJECT), Collector.NO_CREDIT);
    assertThat(exported.held).containsExactly(OBJECT);
    Object again = arrived(found(OBJECT + 2, IMPOSTOR), Collector.NO_CREDIT);
    assertThat(good).isNotNull();
    good = null;
    awaitCollecting("the owner is told", exported.held::isEmpty);
    assertThat(toImpostor)
        .containsExactly("open", "claim " + (OBJECT + 1), "claim " + (OBJECT + 2));
    Reference.reachabilityFence(List.of(forged, again));
  }

  @Test
  public void nothingIsToldOverAConnectionThatTheOtherEndHasOpened() {
    class Back implements TechnologyId.CallsBack {
      @Override
      public String toString() {
        return IMPOSTOR;
      }
    }
    Object forged = arrived(found(OBJECT, new Back()), Collector.NO_CREDIT);
    assertThat(exported.held).as("the owner was dialled").containsExactly(OBJECT);
    assertThat(toImpostor).isEmpty();
    Reference.reachabilityFence(forged);
  }

  @Test
  public void accountsAndWeightsTakeRoomBesideTheFirstOfEachObject() {
    long account = Accounts.ACCOUNT_BYTES;
    Ledger ledger = new Ledger("test", 2 * account + Accounts.WEIGHT_BYTES, Ledger.Weakest.NONE);
    Accounts accounts = new Accounts(exported, ledger);
    From first = new From(NodeId.random());
    From second = new From(NodeId.random());
    accounts.receive(first, CountingMessage.open(1));
    accounts.receive(second, CountingMessage.open(2));
    accounts.receive(first, CountingMessage.claim(1, 1, List.of(OBJECT, OBJECT + 1)));
    assertThat(ledger.taken()).isEqualTo(2 * account);
    accounts.receive(second, CountingMessage.claim(2, 1, List.of(OBJECT)));
    assertThat(ledger.taken()).isEqualTo(ledger.most());
    assertThatThrownBy(
            () -> accounts.receive(second, CountingMessage.claim(2, 2, List.of(OBJECT + 1))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> accounts.receive(second, CountingMessage.open(3)))
        .isInstanceOf(IllegalArgumentException.class);
    second.gone();
    assertThat(ledger.taken()).isEqualTo(account);
    first.gone();
    assertThat(ledger.taken()).isZero();
  }

  @Test
  public void nodeThatClaimsTheHoldersIdIsNotShownItsAccount() {
    Object token = arrived(at(OWNER, OBJECT), Collector.NO_CREDIT);
    long account = owner.leaving(OBJECT, ways.identity(OWNER));
    assertThat(account).isNotEqualTo(Collector.NO_CREDIT);
    assertThat(owner.leaving(OBJECT, "another with the holder's id"))
        .isEqualTo(Collector.NO_CREDIT);
    assertThat(owner.leaving(OBJECT, holderNode)).isEqualTo(Collector.NO_CREDIT);
    Reference.reachabilityFence(token);
  }

  @Test
  public void accountOfOneThatClaimsTheHoldersIdCountsNothingOfTheHolders() {
    Object token = arrived(at(OWNER, OBJECT), Collector.NO_CREDIT);
    From impostor = new From(holderNode, "another with the holder's id");
    owner.receive(impostor, CountingMessage.open(666));
    long credit = owner.leaving(OBJECT + 1, ways.identity(OWNER));
    assertThat(credit).isNotEqualTo(666);
    Object second = arrived(at(OWNER, OBJECT + 1), credit);
    owner.receive(impostor, new long[] {CountingMessage.RELEASE, 666, 9, OBJECT + 1, 1_000});
    impostor.gone();
    assertThat(exported.held).containsExactlyInAnyOrder(OBJECT, OBJECT + 1);
    Reference.reachabilityFence(List.of(token, second));
  }

  @Test
  public void impostorsCreditsLeadNoReferenceOfOthersAstray() throws Exception {
    Object forged = arrived(at(IMPOSTOR, OBJECT + 1), Collector.NO_CREDIT);
    long stolen = ways.opened.get(IMPOSTOR);
    Object liars = arrived(at(OWNER, OBJECT), stolen);
    assertThat(exported.held).as("the liar's own reference").isEmpty();
    Object good = arrived(at(OWNER, OBJECT), Collector.NO_CREDIT);
    assertThat(exported.held).containsExactly(OBJECT);
    ObjectId ofThird = new ObjectId(NodeId.random(), OBJECT + 3, new TechnologyId("memory", OWNER));
    Object other = arrived(ofThird, stolen);
    assertThat(exported.held).as("of another node").contains(OBJECT + 3);
    Reference.reachabilityFence(List.of(forged, liars, good, other));
  }

  @Test
  public void whatIsCountedOnTheAccountOfAnotherPlaceIsGivenBackThere() throws Exception {
    Object first = arrived(at(OWNER, OBJECT), Collector.NO_CREDIT);
    Object other = arrived(at("owner at another address", OBJECT + 1), Collector.NO_CREDIT);
    long credit = owner.leaving(OBJECT, ways.identity(OWNER));
    assertThat(credit)
        .as("the younger account of the two")
        .isEqualTo(ways.opened.get("owner at another address"));
    int messages = ways.messages.size();
    Object counted = arrived(at(OWNER, OBJECT), credit);
    assertThat(ways.messages).as("no message").hasSize(messages);
    assertThat(first).isNotNull();
    first = null;
    awaitCollecting("the first account is closed", () -> !ways.open.containsKey(OWNER));
    assertThat(exported.held).containsExactlyInAnyOrder(OBJECT, OBJECT + 1);
    assertThat(counted).isNotNull();
    counted = null;
    awaitCollecting("it is let go", () -> !exported.held.contains(OBJECT));
    assertThat(exported.held).containsExactly(OBJECT + 1);
    Reference.reachabilityFence(other);
  }

  @Test
  public void olderAccountCountsAgainWhenTheYoungerIsClosed() {
    From older = new From(holderNode, "holder");
    From younger = new From(holderNode, "holder");
    owner.receive(older, CountingMessage.open(5));
    owner.receive(younger, CountingMessage.open(6));
    assertThat(owner.leaving(OBJECT, "holder")).isEqualTo(6);
    younger.gone();
    assertThat(exported.held).isEmpty();
    assertThat(owner.leaving(OBJECT, "holder")).isEqualTo(5);
    older.gone();
    assertThat(owner.leaving(OBJECT, "holder")).isEqualTo(Collector.NO_CREDIT);
  }

  /**
   * The ways of the holder: to the owner, and to an impostor. An attachment leads to the node that
   * it names, as that of a technology does.
   */
  private final class Ways implements Messenger {
    final List<Long> messages = new CopyOnWriteArrayList<>();

    /** The account that was opened last at each address. */
    final Map<String, Long> opened = new ConcurrentHashMap<>();

    /** The lines that are open, by address. */
    final Map<String, From> open = new ConcurrentHashMap<>();

    /** What the holder shows: the same at each address, as where they are resolved to one. */
    Object identity(String address) {
      return address.startsWith(OWNER) ? "holder at the owner" : "holder at " + address;
    }

    private String address(ObjectId id) {
      TechnologyId way = id.technology(0);
      Object attachment = way.attachment();
      return attachment == null ? way.address() : attachment.toString();
    }

    @Override
    public long send(ObjectId anyObject, long[] message, long mostMillis) {
      messages.add(message[0]);
      String address = address(anyObject);
      return receive(address, new From(holderNode, identity(address)), message);
    }

    @Override
    public Closeable openLine(ObjectId anyObject, long[] message, long mostMillis) {
      String address = address(anyObject);
      From line = new From(holderNode, identity(address));
      opened.put(address, message[1]);
      open.put(address, line);
      receive(address, line, message);
      return () -> {
        open.remove(address, line);
        line.gone();
      };
    }

    private long receive(String address, From from, long[] message) {
      if (!address.equals(IMPOSTOR)) {
        return owner.receive(from, message);
      }
      toImpostor.add(told(message));
      return CountingMessage.DONE;
    }

    private String told(long[] message) {
      if (message[0] == CountingMessage.OPEN) {
        return "open";
      }
      List<String> numbers = new ArrayList<>();
      boolean claim = message[0] == CountingMessage.CLAIM;
      for (int i = CountingMessage.FIRST_NUMBER; i < message.length; i += claim ? 1 : 2) {
        numbers.add(String.valueOf(message[i]));
      }
      return (claim ? "claim " : "release ") + String.join(" ", numbers);
    }
  }
}
