package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.directory.Report;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Which files a member removes by itself, and what it tells the directory instead. */
public class HeldGroupsTest {
  private static final GroupAddress GROUP = new GroupAddress(1, 2, 3);

  private final Reports reports = new Reports();
  private final List<GroupAddress> removed = new ArrayList<>();
  private final HeldGroups held = new HeldGroups(reports, removed::add, each -> true, each -> {});

  @Test
  public void anOwnGroupOfWhichNobodyWasToldIsRemovedAtOnce() {
    held.release(held.acquire(GROUP));
    assertThat(removed).containsExactly(GROUP);
    assertThat(reports.isEmpty()).isTrue();
  }

  /** To a directory that has lost its memory. */
  @Test
  public void theEndOfAHoldIsToldThatWasToldWithEverything() {
    OpenGroup put = held.acquire(GROUP);
    assertThat(held.told()).containsExactly(GROUP);
    held.release(put);
    assertThat(reports.take().released()).containsExactly(GROUP);
  }

  /** Its hold was told, and its end; then it is held for less time than a report takes. */
  @Test
  public void anOwnGroupThatTheDirectoryKeepsStaysWhenAShortHoldOfItEnds() {
    OpenGroup put = held.acquire(GROUP);
    reports.kept(GROUP, Report.STORED);
    held.release(put);
    reports.arrived(reports.take());
    held.release(held.acquireNamed(GROUP));
    assertThat(removed).isEmpty();
    Report told = reports.take();
    assertThat(told.held()).containsExactly(GROUP);
    assertThat(told.released()).containsExactly(GROUP);
  }
}
