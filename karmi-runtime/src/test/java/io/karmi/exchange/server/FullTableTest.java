package io.karmi.exchange.server;

import static io.karmi.exchange.server.GroupTableTest.MEMBER;
import static io.karmi.exchange.server.GroupTableTest.NONE;
import static io.karmi.exchange.server.GroupTableTest.fill;
import static io.karmi.exchange.server.GroupTableTest.join;
import static io.karmi.exchange.server.GroupTableTest.of;
import static io.karmi.exchange.server.GroupTableTest.report;
import static io.karmi.exchange.server.GroupTableTest.some;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import java.rmi.NoSuchObjectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/** Members that take all the memory that a table has for one. */
public class FullTableTest {
  private final GroupTable table = new GroupTable(1, 2, 3).withoutPredecessor();
  private final Joined a = join(table, 10);
  private final Joined b = join(table, 20);

  public FullTableTest() throws NoSuchObjectException {}

  private void hold(Joined who, GroupAddress... groups) throws NoSuchObjectException {
    table.update(who.member(), report(groups, 0, NONE));
  }

  private void refer(Joined who, long sequence, GroupAddress... on) throws NoSuchObjectException {
    Report.Dependency[] added = {new Report.Dependency(of(who, sequence), on)};
    table.update(who.member(), new Report(NONE, new int[0], NONE, NONE, added, NONE));
  }

  @Test
  public void membersMayClaimSoMuch() throws Exception {
    List<GroupAddress> many = new ArrayList<>();
    for (int i = 0; i < 1_000_001; i++) {
      many.add(of(a, i));
    }
    assertThatThrownBy(() -> hold(a, many.toArray(NONE)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("(?s).*(a member may have 1000000|no memory for more groups).*");
    hold(b, of(b, 1)); // others go on
    table.leave(a.member());
    assertThat(table.stats()).containsEntry("groups", 1L).containsEntry("bytes", MEMBER + 240);
    table.leave(b.member());
  }

  /** Else who has spoken of it first, and has taken all that one may have, would keep it. */
  @Test
  public void whatOthersPayForIsDropped() throws Exception {
    GroupAddress group = of(a, 1);
    hold(b, group);
    table.update(a.member(), report(some(group), Report.STORED, NONE));
    fill(table, b);
    assertThat(table.drop(group.toString())).isTrue();
    assertThat(table.update(a.member(), Report.EMPTY).dropped()).containsExactly(group);
  }

  /** Else who has guessed its address, and has taken all that one may have, would keep it out. */
  @Test
  public void membersPayForTheReferencesThatTheyTell() throws Exception {
    hold(b, of(a, 1));
    fill(table, b);
    refer(a, 1, of(a, 2));
    table.leave(b.member());
    table.update(a.member(), report(NONE, 0, some(of(a, 1))));
    table.leave(a.member());
    assertThat(table.stats()).containsEntry("groups", 0L).containsEntry("bytes", 0L);
  }

  /** A report may name a group that refers to one other group many times. */
  @Test
  public void referencesOfGroupsAreBounded() throws Exception {
    GroupAddress[] many = new GroupAddress[0xffff];
    Arrays.fill(many, of(a, 0));
    assertThatThrownBy(() -> refer(a, 1, Arrays.copyOf(many, 1 << 16)))
        .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class);
    long most = Runtime.getRuntime().maxMemory() / many.length / 40;
    assertThatThrownBy(
            () -> {
              for (int i = 1; i < most; i++) {
                refer(a, i, many);
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no memory for more groups");
    table.leave(a.member());
    assertThat(table.stats()).containsEntry("groups", 0L).containsEntry("bytes", MEMBER);
  }

  @Test
  public void keysThatAreRefusedTakeNothing() throws Exception {
    hold(a, of(a, 1));
    fill(table, a);
    table.update(a.member(), report(NONE, 0, some(of(a, 1))));
    long bytes = table.stats().get("bytes");
    assertThatThrownBy(() -> table.bind(a.member(), "key", of(a, 2), false, 0, Report.EMPTY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no memory");
    table.leave(a.member());
    assertThat(bytes).isGreaterThan(table.stats().get("bytes"));
    assertThat(table.stats()).containsEntry("groups", 0L).containsEntry("bytes", MEMBER);
  }

  /** Else its end would count references that were never there. */
  @Test
  public void reportThatIsRefusedHalfwayFreesNoGroupOfOthers() throws Exception {
    GroupAddress low = of(b, 1);
    refer(b, 2, low);
    GroupAddress[] tooMany = new GroupAddress[0xffff];
    Arrays.setAll(tooMany, i -> of(a, 10 + i));
    tooMany[0xfffe] = low;
    long most = Runtime.getRuntime().maxMemory();
    assertThatThrownBy(
            () -> {
              for (long i = 0; i < most; i++) {
                for (int k = 0; k < 0xfffe; k++) {
                  tooMany[k] = of(a, (i << 16) + k);
                }
                refer(a, -1 - i, tooMany);
              }
            })
        .isInstanceOf(IllegalStateException.class);
    table.leave(a.member());
    assertThat(table.list(0)).isEmpty();
    assertThat(table.stats()).containsEntry("groups", 2L);
  }
}
