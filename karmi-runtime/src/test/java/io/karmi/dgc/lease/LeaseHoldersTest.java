package io.karmi.dgc.lease;

import static io.karmi.kit.Deadline.awaitCollecting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.dgc.Sender;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.Test;

/** A lease belongs to its holder: no other node ends it, leads it astray or takes its room. */
public class LeaseHoldersTest extends LeaseFixture {
  @Test
  public void cleanInTheNameOfAnotherNodeLetsNothingGo() {
    LeaseCollector owner = owner(LONG_LEASE);
    NodeId stranger = NodeId.random();
    owner.receive(from(holderNode), dirty(1, OBJECT));
    owner.receive(from(stranger), clean(Long.MAX_VALUE, OBJECT));
    assertThat(exported.held).containsExactly(OBJECT);
    owner.receive(from(holderNode), dirty(2, OBJECT));
    owner.receive(from(holderNode), clean(3, OBJECT));
    assertThat(exported.held).as("the holder's own messages still count").isEmpty();
  }

  @Test
  public void holderIsKnownByItsKeyOverAConnectionOfAnotherIdentity() {
    LeaseCollector owner = owner(LONG_LEASE);
    owner.receive(connection(holderNode, "opened by the owner"), dirty(1, OBJECT));
    owner.receive(connection(holderNode, "its own"), dirty(2, OBJECT));
    owner.receive(connection(holderNode, "its own"), clean(3, OBJECT));
    assertThat(exported.held).as("one lease, ended").isEmpty();
    owner.receive(connection(holderNode, "its own"), dirty(4, OBJECT));
    assertThat(exported.held).containsExactly(OBJECT);
    owner.receive(connection(holderNode, "opened by the owner"), clean(5, OBJECT));
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void nodeWithTheHoldersIdAndWithoutItsKeyLetsNothingGo() {
    LeaseCollector owner = owner(LONG_LEASE);
    owner.receive(connection(holderNode, "the holder"), dirty(1, OBJECT));
    Sender stranger = connection(holderNode, "a stranger");
    List<LeaseMessage.Held> guess = List.of(new LeaseMessage.Held(OBJECT, KEY + 1));
    owner.receive(stranger, LeaseMessage.of(LeaseMessage.CLEAN, Long.MAX_VALUE, 0, guess));
    assertThat(exported.held).containsExactly(OBJECT);
    owner.receive(connection(holderNode, "the holder"), clean(2, OBJECT));
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void keysOfOneHashCodeDoNotMakeTheTableSlow() {
    LeaseCollector owner = owner(LONG_LEASE);
    int holders = 3_000;
    int keys = 16;
    long begun = System.nanoTime();
    for (int i = 0; i < holders; i++) {
      List<LeaseMessage.Held> shown = new ArrayList<>();
      for (int j = 1; j <= keys; j++) {
        long half = (long) i * keys + j;
        shown.add(new LeaseMessage.Held(OBJECT, half << 32 | half));
      }
      owner.receive(
          connection(holderNode, "stranger " + i),
          LeaseMessage.of(LeaseMessage.DIRTY, 1, LONG_LEASE, shown));
    }
    assertThat(exported.held).containsExactly(OBJECT);
    assertThat(System.nanoTime() - begun)
        .as("a list would be two billion comparisons")
        .isLessThan(10_000_000_000L);
  }

  @Test
  public void referenceThatNamesAnotherPlaceLeadsNoLeaseAstray() throws Exception {
    Set<String> told = ConcurrentHashMap.newKeySet();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  told.add(to.technology(0).address() + " " + message[LeaseMessage.FIRST_NUMBER]);
                  return 300;
                },
            LONG_LEASE);
    Object token = arrived(holder, object).get(0);
    Object forged =
        arrived(holder, new ObjectId(ownerNode, 5L << 32, new TechnologyId("memory", "elsewhere")))
            .get(0);
    told.clear();
    awaitCollecting("both are renewed", () -> told.size() >= 2);
    assertThat(told).containsExactlyInAnyOrder("owner " + OBJECT, "elsewhere " + (5L << 32));
    Reference.reachabilityFence(token);
    Reference.reachabilityFence(forged);
  }

  @Test
  public void referenceThatAnImpostorHasSentLeadsNoLeaseAstray() throws Exception {
    Set<String> told = ConcurrentHashMap.newKeySet();
    LeaseCollector holder =
        open(
            (Way)
                (to, message) -> {
                  Object found = to.technology(0).attachment();
                  String where = found == null ? to.technology(0).address() : found.toString();
                  told.add(where + " " + message[LeaseMessage.FIRST_NUMBER]);
                  return 300;
                },
            LONG_LEASE);
    Object token = arrived(holder, object).get(0);
    Object forged = arrived(holder, found(5L << 32, "an impostor")).get(0);
    Object again = arrived(holder, found(OBJECT, "an impostor")).get(0);
    assertThat(again).as("held by a lease of its own").isNotSameAs(token);
    told.clear();
    awaitCollecting("the owner is told", () -> told.contains("owner " + OBJECT));
    assertThat(told).doesNotContain("owner " + (5L << 32));
    Reference.reachabilityFence(List.of(token, forged, again));
  }

  /** A reference whose address is the owner's, as it comes from another node. */
  private ObjectId found(long number, Object attachment) {
    ObjectId id = new ObjectId(ownerNode, number, new TechnologyId("memory", "owner"));
    id.technology(0).attach(attachment);
    return id;
  }

  @Test
  public void leaseByAForgedPlaceEndsWithoutThatOfTheTrueOne() {
    LeaseCollector owner = owner(LONG_LEASE);
    Sender holder = connection(holderNode, "the holder");
    owner.receive(holder, dirty(1, OBJECT));
    List<LeaseMessage.Held> forged = List.of(new LeaseMessage.Held(OBJECT, KEY + 1));
    owner.receive(holder, LeaseMessage.of(LeaseMessage.DIRTY, 2, LONG_LEASE, forged));
    owner.receive(holder, LeaseMessage.of(LeaseMessage.CLEAN, 3, 0, forged));
    Sender evil = connection(holderNode, "who was shown the key of the forged place");
    owner.receive(evil, LeaseMessage.of(LeaseMessage.CLEAN, Long.MAX_VALUE, 0, forged));
    assertThat(exported.held).containsExactly(OBJECT);
    owner.receive(holder, clean(4, OBJECT));
    assertThat(exported.held).isEmpty();
  }

  @Test
  public void keysOfAHolderAreBoundedAndThoseThatItHasGivenUpMakeRoom() {
    LeaseCollector owner = owner(LONG_LEASE);
    Sender holder = connection(holderNode, "the holder");
    for (int i = 0; i < 1000; i++) {
      List<LeaseMessage.Held> key = List.of(new LeaseMessage.Held(OBJECT, i));
      owner.receive(holder, LeaseMessage.of(LeaseMessage.DIRTY, 2 * i, LONG_LEASE, key));
      assertThat(exported.held).containsExactly(OBJECT);
      owner.receive(holder, LeaseMessage.of(LeaseMessage.CLEAN, 2 * i + 1, 0, key));
      assertThat(exported.held).isEmpty();
    }
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                List<LeaseMessage.Held> key = List.of(new LeaseMessage.Held(OBJECT, -1 - i));
                owner.receive(holder, LeaseMessage.of(LeaseMessage.DIRTY, i, LONG_LEASE, key));
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keys of one node");
  }

  /** Strangers show keys of a known object until they are refused; returns the number of leases. */
  private int fill(LeaseCollector owner, String host) {
    int leases = 0;
    try {
      for (int i = 0; i < 1_000_000; i++) {
        Sender stranger = ofHost(host, host + i);
        for (int key = 1; key <= 16; key++) {
          List<LeaseMessage.Held> shown = List.of(new LeaseMessage.Held(OBJECT, key));
          owner.receive(stranger, LeaseMessage.of(LeaseMessage.DIRTY, key, LONG_LEASE, shown));
          leases++;
        }
      }
      throw new AssertionError("no bound");
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("no lease for another").hasMessageContaining(host);
      return leases;
    }
  }

  @Test
  public void leasesAreBoundedByTheirShareOfTheHeapOfWhichAHostMayNotTakeAll() {
    long room = 1 << 20;
    LeaseCollector owner = ownerWithRoom(room);
    long most = room / GrantedLeases.LEASE_BYTES;
    assertThat((long) fill(owner, "greedy")).isBetween(most / 2, most);
    owner.receive(ofHost("another", "the holder"), dirty(1, OBJECT, OBJECT + 1));
    assertThat(exported.held).contains(OBJECT + 1);
    assertThat((long) fill(owner, "as greedy")).isBetween(1L, most / 8);
  }

  @Test
  public void whatIsRememberedOfLeasesThatWereGivenBackLeavesRoomForOthers() {
    long room = 1 << 20;
    LeaseCollector owner = ownerWithRoom(room);
    for (int i = 0; i < 5_000; i++) {
      Sender passing = ofHost("busy", "passing " + i);
      owner.receive(passing, dirty(1, OBJECT, OBJECT + 1, OBJECT + 2));
      owner.receive(passing, clean(2, OBJECT, OBJECT + 1, OBJECT + 2));
    }
    assertThat(exported.held).isEmpty();
    long most = room / GrantedLeases.LEASE_BYTES;
    assertThat((long) fill(owner, "busy")).isGreaterThan(most / 4);
  }

  @Test
  public void hostMayHoldEveryObjectOnceHoweverManyThereAre() {
    LeaseCollector owner = ownerWithRoom(4096);
    Sender holder = ofHost("honest", "the holder");
    for (int i = 0; i < 100_000; i++) {
      owner.receive(holder, dirty(1, OBJECT + i));
    }
    assertThat(exported.held).hasSize(100_000);
    for (int i = 0; i < 100_000; i++) {
      owner.receive(holder, clean(2, OBJECT + i));
    }
    assertThat(exported.held).isEmpty();
  }

  private Sender ofHost(String host, String identity) {
    Sender any = connection(holderNode, identity);
    NodeId node = NodeId.random();
    return new Sender() {
      @Override
      public NodeId node() {
        return node;
      }

      @Override
      public Object identity() {
        return any.identity();
      }

      @Override
      public Object host() {
        return host;
      }

      @Override
      public void whenGone(Runnable action) {}
    };
  }

  private static Sender connection(NodeId node, String identity) {
    return new Sender() {
      @Override
      public NodeId node() {
        return node;
      }

      @Override
      public Object identity() {
        return identity;
      }

      @Override
      public void whenGone(Runnable action) {}
    };
  }
}
