package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Member;
import io.karmi.exchange.directory.Report;
import io.karmi.kit.Deadline;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A member whose reports the directory has taken in another order. */
public class JoinedSpaceTest {
  private static final GroupAddress[] NONE = {};

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Knows no hold when a key is bound. */
  private static final class Forgetful implements Directory {
    final List<Report> reports = new CopyOnWriteArrayList<>();

    @Override
    public Joined joined() {
      return new Joined(1, 1, 0x7e57, 5);
    }

    @Override
    public void begin(Member member, long host) {
      // asks it nothing
    }

    @Override
    public Report.Answer update(Report changes) {
      reports.add(changes);
      return new Report.Answer(NONE, 0, 0);
    }

    @Override
    public Report.Answer bind(String key, GroupAddress group, boolean replace, Report changes) {
      return new Report.Answer(new GroupAddress[] {group}, 0, 7);
    }

    @Override
    public Found lookup(String key, long waitMillis) {
      return null;
    }

    @Override
    public Address[] holders(GroupAddress group) {
      return new Address[0];
    }

    @Override
    public long calls() {
      return 0;
    }

    @Override
    public Report.Answer leave(Report last) {
      return new Report.Answer(NONE, 0, 0);
    }
  }

  @Test
  public void keyOfAGroupThatIsHeldStaysBoundAndItsHoldAndFileAreToldAgain() throws Exception {
    System.setProperty("karmi.exchange.dir", folder.getRoot().toString());
    try {
      Forgetful directory = new Forgetful();
      JoinedSpace space = new JoinedSpace("test://here", directory, Messaging.ofThisNode());
      space.begin();
      Group<String> group = space.put("key", "value");
      assertThat(space.bound()).containsEntry("key", new Member.Bound(group.address(), 7));
      Deadline.await(
          "its hold and its file are told",
          () ->
              directory.reports.stream()
                  .anyMatch(
                      each ->
                          List.of(each.held()).contains(group.address())
                              && List.of(each.files()).contains(group.address())));
      space.close();
    } finally {
      System.clearProperty("karmi.exchange.dir");
    }
  }
}
