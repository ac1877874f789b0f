package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.directory.Report;
import org.junit.Test;

public class ReportsTest {
  private static final GroupAddress GROUP = new GroupAddress(1, 2, 3);

  private final Reports reports = new Reports();

  /** Else the directory would know of a hold that has ended, or not know that it is read later. */
  @Test
  public void theEndOfAHoldIsToldWhenItsBeginHasArrived() {
    reports.held(GROUP);
    reports.file(GROUP);
    Report begin = reports.take();
    reports.released(GROUP, true);
    reports.file(GROUP);
    assertThat(reports.isEmpty()).as("nothing to be told yet").isTrue();
    Report meanwhile = reports.take();
    assertThat(meanwhile.released()).isEmpty();
    assertThat(meanwhile.files()).isEmpty();
    reports.arrived(begin);
    assertThat(reports.isEmpty()).isFalse();
    Report end = reports.take();
    assertThat(end.released()).containsExactly(GROUP);
    assertThat(end.files()).containsExactly(GROUP);
  }

  /** The end of the writer's hold does not say that it is not to be read. */
  @Test
  public void thatAGroupIsToBeReadIsToldAgainIfItsReportIsLost() {
    reports.held(GROUP);
    reports.kept(GROUP, 1);
    Report lost = reports.take();
    reports.released(GROUP, true);
    reports.takeBack(lost);
    reports.arrived(lost);
    Report again = reports.take();
    assertThat(again.held()).containsExactly(GROUP);
    assertThat(again.reads()).containsExactly(1);
    assertThat(again.released()).containsExactly(GROUP);
  }

  /** Else it is held for ever. */
  @Test
  public void endOfAHoldIsToldAgainIfItsReportIsLost() {
    reports.held(GROUP);
    reports.kept(GROUP, 1);
    reports.released(GROUP, true);
    lose(reports.take());
    Report again = reports.take();
    assertThat(again.reads()).containsExactly(1);
    assertThat(again.released()).containsExactly(GROUP);
  }

  /** A directory may have done a part of a report that is lost. */
  @Test
  public void endOfAHoldIsToldIfALostReportMayHaveToldOfTheHold() {
    reports.held(GROUP);
    lose(reports.take());
    assertThat(reports.released(GROUP, true)).isTrue();
    assertThat(reports.take().released()).containsExactly(GROUP);
  }

  @Test
  public void endOfAHoldIsToldIfThatOfTheOneBeforeIsLost() {
    reports.held(GROUP);
    reports.arrived(reports.take());
    reports.released(GROUP, true);
    Report lost = reports.take();
    reports.held(GROUP);
    lose(lost);
    assertThat(reports.released(GROUP, true)).isTrue();
    assertThat(reports.take().released()).containsExactly(GROUP);
  }

  @Test
  public void readsAreToldAgainOfAGroupThatIsHeldAgain() {
    reports.held(GROUP);
    reports.kept(GROUP, 1);
    reports.released(GROUP, true);
    Report lost = reports.take();
    reports.held(GROUP);
    lose(lost);
    Report again = reports.take();
    assertThat(again.reads()).containsExactly(1);
    assertThat(again.released()).isEmpty();
  }

  private void lose(Report lost) {
    reports.takeBack(lost);
    reports.arrived(lost);
  }
}
