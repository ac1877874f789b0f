package io.karmi.exchange.server;

import static io.karmi.exchange.server.GroupTableTest.NONE;
import static io.karmi.exchange.server.GroupTableTest.join;
import static io.karmi.exchange.server.GroupTableTest.of;
import static io.karmi.exchange.server.GroupTableTest.report;
import static io.karmi.exchange.server.GroupTableTest.some;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import java.rmi.NoSuchObjectException;
import org.junit.Test;

/** What members say of groups that refer to each other in a circle, which no honest one has. */
public class CircularGroupsTest {
  private static final int GROUPS = 1000;

  private final GroupTable table = new GroupTable(1, 2, 3).withoutPredecessor();
  private final Joined honest = join(table, 10);

  public CircularGroupsTest() throws NoSuchObjectException {}

  private void refer(Joined who, GroupAddress from, GroupAddress... on)
      throws NoSuchObjectException {
    Report.Dependency[] added = {new Report.Dependency(from, on)};
    table.update(who.member(), new Report(NONE, new int[0], NONE, NONE, added, NONE));
  }

  private void hold(Joined who, GroupAddress... groups) throws NoSuchObjectException {
    table.update(who.member(), report(groups, 0, NONE));
  }

  private void release(Joined who, GroupAddress... groups) throws NoSuchObjectException {
    table.update(who.member(), report(NONE, 0, groups));
  }

  private void circle(Joined liar, long sequence, int length) throws NoSuchObjectException {
    for (int i = 0; i < length; i++) {
      refer(liar, of(liar, sequence + i), of(liar, sequence + (i + 1) % length));
    }
  }

  private long groups() {
    return table.stats().get("groups");
  }

  private long bytes() {
    return table.stats().get("bytes");
  }

  @Test
  public void circlesOfAMemberThatHasLeftAreNotOnItsHostsAccount() throws Exception {
    long before = bytes();
    Joined liar = join(table, 20);
    circle(liar, 1, 1);
    circle(liar, 10, 2);
    circle(liar, 20, GROUPS);
    refer(liar, of(liar, 20), of(liar, 1), of(liar, 5), of(liar, 10));
    table.leave(liar.member());
    assertThat(groups()).isZero();
    assertThat(bytes()).isEqualTo(before);
  }

  @Test
  public void circlesOfTwoThatHaveLeftEndWithTheLaterOne() throws Exception {
    long before = bytes();
    Joined first = join(table, 20);
    Joined second = join(table, 30);
    for (int i = 0; i < GROUPS; i++) {
      refer(first, of(first, i), of(second, i));
      refer(second, of(second, i), of(first, i));
    }
    table.leave(first.member());
    table.leave(second.member());
    assertThat(groups()).isZero();
    assertThat(bytes()).isEqualTo(before);
  }

  @Test
  public void circleEndsWithItsLastHold() throws Exception {
    Joined liar = join(table, 20);
    circle(liar, 1, 3);
    GroupAddress held = of(liar, 2);
    hold(honest, held);
    table.leave(liar.member());
    assertThat(groups()).isEqualTo(3);
    release(honest, held);
    hold(honest, of(honest, 1));
    assertThat(groups()).isEqualTo(1);
  }

  @Test
  public void whatAGroupInUseRefersToStaysWhenCirclesEnd() throws Exception {
    Joined owner = join(table, 30);
    GroupAddress[] chain = new GroupAddress[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      chain[i] = of(owner, 1 + i);
    }
    hold(owner, chain);
    for (int i = 1; i < GROUPS; i++) {
      refer(owner, chain[i - 1], chain[i]);
    }
    hold(honest, chain[0]);
    table.leave(owner.member());
    Joined liar = join(table, 20);
    circle(liar, 1, GROUPS);
    refer(liar, of(liar, 1), chain);
    table.leave(liar.member());
    assertThat(groups()).isEqualTo(GROUPS);
    release(honest, some(chain[0]));
    assertThat(groups()).isZero();
  }

  @Test
  public void circlesThatStayAreAnEighthOfAllGroupsAtMost() throws Exception {
    GroupAddress[] many = new GroupAddress[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      many[i] = of(honest, 1 + i);
    }
    hold(honest, many);
    for (int i = 0; i < GROUPS; i++) {
      Joined liar = join(table, 20);
      circle(liar, 1, 2);
      table.leave(liar.member());
      assertThat(groups()).isLessThanOrEqualTo(GROUPS + GROUPS / 7);
    }
  }
}
