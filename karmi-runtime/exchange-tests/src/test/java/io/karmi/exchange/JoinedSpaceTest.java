package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Member;
import io.karmi.exchange.directory.Repeated;
import io.karmi.exchange.directory.Report;
import io.karmi.guard.OwnDirectory;
import io.karmi.kit.Deadline;
import io.karmi.kit.KeptLog;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A member and the directory that it reports to. */
public class JoinedSpaceTest {
  private static final GroupAddress[] NONE = {};
  private static final long SPACE = 0x7e57;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Knows no hold when a key is bound. */
  private static class Forgetful implements Directory {
    final List<Report> reports = new CopyOnWriteArrayList<>();

    @Override
    public Joined joined() {
      return new Joined(1, 1, SPACE, 5);
    }

    @Override
    public void begin(Member member, long host) {
      // asks it nothing
    }

    @Override
    public Report.Answer update(Repeated changes) throws IOException {
      reports.add(changes.left());
      return new Report.Answer(NONE, 0, 0);
    }

    @Override
    public Report.Answer bind(String key, GroupAddress group, boolean replace, Repeated changes) {
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

  /** Is left while it is asked, and does not answer then. */
  private static final class Left extends Forgetful {
    final CountDownLatch left = new CountDownLatch(1);
    volatile Thread reporter;

    /** Whether reports are answered, and only the question of files is not. */
    boolean answersReports;

    @Override
    public Report.Answer update(Repeated changes) throws IOException {
      Report told = changes.left();
      if (answersReports && (told.files().length == 0 || told.held().length > 0)) {
        return new Report.Answer(NONE, told.released().length, 0); // a neighbour has ended
      }
      reporter = Thread.currentThread();
      try {
        left.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      throw new IOException("left");
    }

    @Override
    public Report.Answer leave(Report last) {
      left.countDown();
      return super.leave(last);
    }
  }

  /** Loses the answer that tells of the end of a group, which is found with the host's files. */
  private static final class Losing extends Forgetful {
    volatile boolean lost;

    @Override
    public Report.Answer update(Repeated changes) throws IOException {
      super.update(changes);
      return new Report.Answer(lost ? changes.left().files() : NONE, lost ? 1 : 0, 0);
    }
  }

  /** Knows no group whose file is found, and tells of the end of one that is to be found. */
  private static final class Telling extends Forgetful {
    final AtomicReference<GroupAddress> ended = new AtomicReference<>();
    volatile int departed;

    @Override
    public Report.Answer update(Repeated changes) throws IOException {
      super.update(changes);
      GroupAddress[] found = changes.left().files();
      GroupAddress told = found.length == 0 ? ended.getAndSet(null) : null;
      return new Report.Answer(told == null ? found : new GroupAddress[] {told}, departed, 0);
    }
  }

  /** Counts the reads of a report, and fails then. */
  private static final class Failing extends Forgetful {
    @Override
    public Report.Answer update(Repeated changes) throws IOException {
      super.update(changes);
      if (changes.left().read().length > 0) {
        changes.readsMayCount();
        throw new IOException("no answer has come");
      }
      return new Report.Answer(NONE, 0, 0);
    }
  }

  /** Tells of groups that their keys are others' now. */
  private static final class Unbinding extends Forgetful {
    Member member;
    boolean tellsEarly;
    long order = 7;

    @Override
    public void begin(Member reporting, long host) {
      member = reporting;
    }

    @Override
    public Report.Answer bind(String key, GroupAddress group, boolean replace, Repeated changes) {
      if (tellsEarly) {
        member.unbound(group);
      }
      return new Report.Answer(NONE, 0, order);
    }
  }

  @Before
  public void filesAreInAFolderOfTheTest() {
    System.setProperty("karmi.exchange.dir", folder.getRoot().toString());
  }

  @After
  public void forgetFolder() {
    System.clearProperty("karmi.exchange.dir");
  }

  @Test
  public void spaceThatIsLeftDuringAReportLogsNoFailure() throws Exception {
    Left directory = new Left();
    JoinedSpace space = new JoinedSpace("test://left", directory, Messaging.ofThisNode());
    try (KeptLog log = new KeptLog("io.karmi", Level.INFO)) {
      space.begin();
      space.put("value");
      Deadline.await("the directory is asked", () -> directory.reporter != null);
      space.close();
      directory.reporter.join(Duration.ofSeconds(60).toMillis());
      assertThat(directory.reporter.isAlive()).as("the reporter goes on").isFalse();
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  public void spaceThatIsLeftWhileItsFilesAreLookedThroughLogsNoFailure() throws Exception {
    Left directory = new Left();
    directory.answersReports = true;
    JoinedSpace space = new JoinedSpace("test://left", directory, Messaging.ofThisNode());
    try (KeptLog log = new KeptLog("io.karmi", Level.INFO)) {
      space.begin();
      space.put("value", 2).close(); // its file stays
      Deadline.await("the directory is asked", () -> directory.reporter != null);
      space.close();
      directory.reporter.join(Duration.ofSeconds(60).toMillis());
      assertThat(directory.reporter.isAlive()).as("the reporter goes on").isFalse();
      assertThat(log.lines()).isEmpty();
    }
  }

  @Test
  public void keyOfAGroupThatIsHeldStaysBoundAndItsHoldAndFileAreToldAgain() throws Exception {
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
  }

  /** The directory asks for all keys when it has lost its memory. */
  @Test
  public void keyThatIsAnotherGroupsNowIsForgotten() throws Exception {
    Unbinding directory = new Unbinding();
    JoinedSpace space = new JoinedSpace("test://unbinding", directory, Messaging.ofThisNode());
    space.begin();
    Group<String> replaced = space.put("key", "value");
    Group<String> own = space.put("other", "value");
    directory.member.unbound(replaced.address());
    assertThat(space.bound()).containsOnly(entry("other", new Member.Bound(own.address(), 7)));
    space.close();
  }

  /** It is told by another thread. */
  @Test
  public void keyThatIsReplacedBeforeTheAnswerOfItsBindingComesIsForgotten() throws Exception {
    Unbinding directory = new Unbinding();
    JoinedSpace space = new JoinedSpace("test://early", directory, Messaging.ofThisNode());
    space.begin();
    directory.tellsEarly = true;
    Group<String> replaced = space.put("key", "value");
    assertThat(space.bound()).isEmpty();
    directory.tellsEarly = false;
    Group<String> own = space.replace("key", "value");
    directory.order = 6; // of an earlier binding, whose answer comes later
    Group<String> earlier = space.replace("key", "value");
    assertThat(space.bound()).containsOnly(entry("key", new Member.Bound(own.address(), 7)));
    assertThat(List.of(replaced.address(), earlier.address())).doesNotContain(own.address());
    space.close();
  }

  @Test
  public void groupWhoseEndIsFoundWithTheFilesOfItsHostIsNotReportedAgain() throws Exception {
    Losing directory = new Losing();
    JoinedSpace space = new JoinedSpace("test://losing", directory, Messaging.ofThisNode());
    space.begin();
    Group<String> group = space.put("value", 2);
    group.close();
    Deadline.await(
        "its release is told",
        () ->
            directory.reports.stream()
                .anyMatch(each -> List.of(each.released()).contains(group.address())));
    assertThat(space.everything().held()).containsExactly(group.address());
    directory.lost = true;
    Deadline.await("it has ended", () -> space.everything().held().length == 0);
    space.close();
  }

  @Test
  public void readsOfAReportThatHasFailedAreReportedOnce() throws Exception {
    Failing directory = new Failing();
    JoinedSpace space = new JoinedSpace("test://failing", directory, Messaging.ofThisNode());
    space.begin();
    Group<String> group = space.put("value");
    space.isRead(group.address());
    Deadline.await(
        "its hold is reported again",
        () -> directory.reports.stream().filter(each -> each.held().length > 0).count() > 1);
    assertThat(directory.reports.stream().filter(each -> each.read().length > 0)).hasSize(1);
    space.close();
  }

  private Path folderOfSpace() throws IOException {
    try (Stream<Path> all = Files.list(folder.getRoot().toPath())) {
      return all.filter(each -> each.getFileName().toString().startsWith("karmi-x-"))
          .findAny()
          .orElseThrow();
    }
  }

  /** Member 9 of this host lives as long as this is open. */
  private FileChannel memberThatLives() throws IOException {
    FileChannel locks =
        FileChannel.open(folderOfSpace().resolve(OwnDirectory.LOCK), StandardOpenOption.WRITE);
    locks.lock(HostDirectory.ofMember(9, 1), 1, false);
    return locks;
  }

  /** They tell of them themselves: one of which they have not told yet would end otherwise. */
  @Test
  public void storedGroupsAreToldByOthersWhereTheirOwnersAreGone() throws Exception {
    Path store = folder.newFolder("store").toPath().resolve(Long.toHexString(SPACE));
    System.setProperty("karmi.exchange.store", store.getParent().toString());
    Files.createDirectory(store, OwnDirectory.permissions());
    GroupAddress early = new GroupAddress(8, 1, 1);
    GroupAddress late = new GroupAddress(8, 2, 1);
    GroupAddress ofLiving = new GroupAddress(9, 1, 1);
    Files.createFile(store.resolve(early.toString()));
    Files.createFile(store.resolve(ofLiving.toString()));
    Forgetful directory = new Forgetful();
    JoinedSpace space = new JoinedSpace("test://stored", directory, Messaging.ofThisNode());
    FileChannel living = memberThatLives();
    try {
      space.begin();
      Deadline.await(
          "what is stored is told",
          () -> directory.reports.stream().anyMatch(each -> each.held().length > 0));
      assertThat(directory.reports.stream().flatMap(each -> Stream.of(each.held())))
          .containsOnly(early);
      Files.createFile(store.resolve(late.toString()));
      assertThat(space.everything().held()).containsExactlyInAnyOrder(early, late);
      assertThat(space.everything().reads()).containsOnly(Report.STORED);
    } finally {
      space.close();
      living.close();
      System.clearProperty("karmi.exchange.store");
    }
  }

  /** The line of a member may be cut, which lives and has another number then. */
  @Test
  public void filesOfMembersThatLiveAreNotRemovedByTheirNeighbours() throws Exception {
    Telling directory = new Telling();
    GroupAddress group = new GroupAddress(9, 1, 1);
    JoinedSpace space = new JoinedSpace("test://cut", directory, Messaging.ofThisNode());
    FileChannel living = memberThatLives();
    Path file = folderOfSpace().resolve(group.toString());
    Files.createFile(file);
    Files.setPosixFilePermissions(file, Set.of(PosixFilePermission.OWNER_READ));
    space.begin();
    directory.ended.set(group);
    Deadline.await("a neighbour is told of its end", () -> directory.ended.get() == null);
    int told = directory.reports.size();
    Deadline.await("it has heard that", () -> directory.reports.size() > told);
    assertThat(file).exists();
    living.close(); // as at its end
    directory.departed++;
    Deadline.await("the file is found", () -> !Files.exists(file));
    space.close();
  }

  /** What tidies up the directory of memory may do so. */
  @Test
  public void groupsThatArePutAfterTheirPackWasRemovedAreThere() throws Exception {
    JoinedSpace space = new JoinedSpace("test://pack", new Forgetful(), Messaging.ofThisNode());
    space.begin();
    Group<String> before = space.put("before");
    Files.delete(folderOfSpace().resolve(Pack.name(before.address())));
    Group<String> after = space.put("after");
    assertThat(after.copy()).isEqualTo("after");
    space.close();
  }
}
