package io.karmi.exchange;

import io.karmi.exchange.directory.Attempts;
import io.karmi.exchange.directory.BoundKeys;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Member;
import io.karmi.exchange.directory.Repeated;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.management.ExchangeBean;
import io.karmi.exchange.pull.FetchGroup;
import io.karmi.exchange.record.GroupInput;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.settings.Settings;
import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.rmi.AccessException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The space as this JVM has joined it: the table of the groups that it holds, its files, and what
 * it tells the directory, a tenth of a second after it has happened. Thread-safe.
 */
final class JoinedSpace implements ExchangeSpace, Member {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  /** Time between two reports while there is something to report, in milliseconds. */
  private static final long ROUND_MILLIS = 100;

  private static final int MAXIMUM_KEY_BYTES = 1024;

  /** The most groups that the fetch of one brings along: what refers to what is a claim. */
  private static final int MAXIMUM_BROUGHT = 256;

  private static final GroupAddress[] NONE = {};

  private final String url;
  private final Directory directory;
  private final HostDirectory files;
  private final Fetcher fetcher;
  private final Leftovers leftovers;
  private final Hold.Holds holds = new Hold.Holds(this::release);
  private final Reports reports = new Reports();
  private final SharedObjects shared = new SharedObjects();
  final GroupObjects objects;
  private final HeldGroups open;

  /** Own groups that live without a hold, with their reads. */
  private final Map<GroupAddress, Integer> kept = new ConcurrentHashMap<>();

  private final BoundKeys bound = new BoundKeys();
  private final OwnWriters writers;
  private final Inventory inventory;

  private final ServiceThread service;
  private final Object work = new Object();
  private volatile boolean closed;

  /** Whether the directory is to be asked though there is nothing to report. */
  private volatile boolean askSoon;

  private final @Nullable ExchangeBean bean;

  /* Of the service. */
  private boolean awaitsJmx;
  private long reportedNanos = System.nanoTime();
  private long askedNanos = System.nanoTime();

  /**
   * Joins, but for {@link #begin}.
   *
   * @throws IOException if this host has no directory for the groups
   */
  JoinedSpace(String url, Directory directory, Messaging messaging) throws IOException {
    this.url = url;
    this.directory = directory;
    files = HostDirectory.open(id());
    writers = new OwnWriters(files, directory);
    open = new HeldGroups(reports, this::remove, writers::isOwn, this::ended);
    fetcher = new Fetcher(files, directory, messaging, this::fileCame);
    objects = new GroupObjects(fetcher, shared, this::id, this::came);
    leftovers = new Leftovers(files, directory, open);
    inventory = new Inventory(files, fetcher, open, leftovers);
    bean = mayHaveBean() ? new ExchangeBean(url, files.toString(), this::counters) : null;
    awaitsJmx = bean != null && !bean.register(id());
    service = new ServiceThread("KaRMI Exchange", true, this::awaitWork, this::round);
  }

  /** Takes part: says what this host has, and reports from now on. */
  void begin() throws IOException {
    directory.begin(this, files.host());
    writer();
    for (GroupAddress each : leftovers.stored()) {
      reports.kept(each, Report.STORED);
      reports.file(each);
      reports.released(each, true);
    }
    leftovers.remove();
    service.ensureRunning();
  }

  /** Whether there may be beans; asked before the class of the bean is needed. */
  private static boolean mayHaveBean() {
    return !Settings.JMX.is("false")
        && ModuleLayer.boot().findModule("java.management").isPresent();
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>(fetcher.counters());
    counters.put("groupsHeld", (long) open.size());
    counters.put("directoryCalls", directory.calls());
    return counters;
  }

  long id() {
    return directory.joined().space();
  }

  private synchronized GroupWriter writer() throws IOException {
    if (closed) {
      throw new IOException("the space " + url + " was left here; join it again");
    }
    return writers.current();
  }

  @Override
  public <T> Group<T> put(T root) throws IOException {
    return put(root, false);
  }

  private <T> Group<T> put(T root, boolean stored) throws IOException {
    if (stored || shared.isEmpty()) { // what is stored outlives others
      return put(root, stored, null);
    }
    SharedObjects.Uses uses = new SharedObjects.Uses(shared, this::holdAgain);
    try {
      return put(root, false, uses);
    } finally {
      uses.groups().forEach(each -> ((Group<?>) each).close());
    }
  }

  /** A hold more of a group that is held; null if it is not. */
  private @Nullable Object holdAgain(OpenGroup group) {
    return open.acquireAgain(group) ? new Group<>(this, holds, group) : null;
  }

  private <T> Group<T> put(T root, boolean stored, SharedObjects.@Nullable Uses uses)
      throws IOException {
    GroupWriter.Written made = writer().write(root, stored, uses);
    Steps.reached("put");
    OpenGroup group = open.acquire(made.address());
    group.lengthBytes = made.lengthBytes();
    group.record("put");
    if (made.dependencies().length > 0) {
      group.refers = true;
      reports.added(made.address(), made.dependencies());
    }
    fileCame(made.address());
    return new Group<>(this, holds, group);
  }

  /**
   * Puts a group that lives without a hold.
   *
   * @param reads after which it ends, or {@link Report#STORED}
   */
  <T> Group<T> put(T root, int reads) throws IOException {
    Group<T> group = put(root, reads == Report.STORED);
    keep(group.address(), reads);
    return group;
  }

  private void keep(GroupAddress group, int reads) {
    kept.put(group, reads);
    reports.kept(group, reads);
    wake();
  }

  @Override
  public <T> Group<T> put(String key, T root) throws IOException {
    return bind(key, root, false);
  }

  @Override
  public <T> Group<T> replace(String key, T root) throws IOException {
    return bind(key, root, true);
  }

  private <T> Group<T> bind(String key, T root, boolean replace) throws IOException {
    if (key.isEmpty() || key.getBytes(StandardCharsets.UTF_8).length > MAXIMUM_KEY_BYTES) {
      throw new IllegalArgumentException("a key has 1 to " + MAXIMUM_KEY_BYTES + " bytes in UTF-8");
    }
    Group<T> group = put(root);
    Report taken = reports.take();
    Repeated changes = new Repeated(taken);
    bound.begin(group.address());
    try {
      Report.Answer answer = directory.bind(key, group.address(), replace, changes);
      Steps.reached("bound");
      bound.note(key, new Bound(group.address(), answer.order()));
      take(answer);
      return group;
    } catch (KeyTakenException e) {
      group.close();
      throw e;
    } catch (IOException | RuntimeException e) {
      reports.takeBack(changes.left());
      group.close();
      throw e;
    } finally {
      bound.end(group.address());
      reports.arrived(taken);
      wake();
    }
  }

  @Override
  public <T> Group<T> get(String key) throws IOException {
    try {
      return get(key, directory.lookup(key, 0), "await() waits for it");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the directory of " + url + " is asked");
    }
  }

  @Override
  public <T> Group<T> await(String key, Duration limit) throws IOException, InterruptedException {
    long end =
        System.nanoTime() + TimeUnit.NANOSECONDS.convert(limit); // the longest, if it is more
    Found found = null;
    long left = TimeUnit.MILLISECONDS.convert(limit);
    do {
      found = directory.lookup(key, Math.max(0, left));
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (found == null && left > 0) {
        Thread.sleep(Math.min(left, ROUND_MILLIS)); // a directory need not wait at all
      }
    } while (found == null && left > 0);
    return get(key, found, "nor was it within " + limit);
  }

  private <T> Group<T> get(String key, @Nullable Found found, String hint) throws IOException {
    if (found == null) {
      throw new NoSuchElementException(
          "no group is bound to '" + key + "' in the space " + url + "; " + hint);
    }
    return get(found.group(), found.sources());
  }

  @Override
  public <T> Group<T> get(GroupAddress address) throws IOException {
    return get(address, (Address[]) null);
  }

  private <T> Group<T> get(GroupAddress address, Address @Nullable [] sources) throws IOException {
    writer(); // refuses if the space was left
    Group<T> group = new Group<>(this, holds, acquire(address));
    try {
      fetch(open(address), sources);
      return group;
    } catch (IOException | RuntimeException e) {
      group.close();
      throw e;
    }
  }

  private OpenGroup open(GroupAddress address) {
    return Objects.requireNonNull(open.get(address), "it is held");
  }

  /** Makes sure that a group is on this host, or that its objects are made. */
  private void fetch(OpenGroup group, Address @Nullable [] sources) throws IOException {
    if (group.lengthBytes > 0) {
      return;
    }
    try (GroupInput in = fetcher.open(group.address, sources, this::came)) {
      group.refers |= in.header().dependencies() > 0;
      if (in.isInMemory()) {
        objects.make(group, in);
      } else {
        fileCame(group.address);
      }
      group.lengthBytes = in.header().length();
    }
  }

  /**
   * Fetches what a group that was fetched refers to, and what that refers to, as far as that is
   * possible and does not last long. Others are fetched when they are opened.
   */
  private void came(GroupAddress... refersTo) {
    Set<GroupAddress> brought = new HashSet<>();
    Deque<GroupAddress> next = new ArrayDeque<>();
    Consumer<GroupAddress[]> more =
        those -> {
          for (GroupAddress each : those) {
            if (brought.size() < MAXIMUM_BROUGHT && brought.add(each)) {
              next.add(each);
            }
          }
        };
    more.accept(refersTo);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Attempts.limitMillis());
    while (!next.isEmpty() && end - System.nanoTime() > 0) {
      GroupAddress each = next.remove();
      try {
        fetcher.open(each, null, more).close();
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "group " + each + " is fetched later", e);
        return;
      }
    }
  }

  /** The file of a group that is known is on this host; other hosts may ask for it. */
  private void fileCame(GroupAddress group) {
    reports.file(group);
    wake();
  }

  /** A hold by an address that has come; it is fetched when it is needed. */
  Group<?> hold(GroupAddress address) {
    return new Group<>(this, holds, acquire(address));
  }

  private OpenGroup acquire(GroupAddress address) {
    OpenGroup group = open.acquireNamed(address);
    wake();
    return group;
  }

  /** A group is not held any more. */
  private void ended(OpenGroup group) {
    shared.remove(group);
    fetcher.forget(group.address);
  }

  /** One hold less. */
  private void release(OpenGroup group) {
    open.release(group);
    wake();
  }

  /** Holds a group that is sent to another JVM until that one's hold counts. */
  void isSent(OpenGroup group) {
    open.isSent(group);
  }

  long lengthBytes(OpenGroup group) throws IOException {
    fetch(group, null);
    return group.lengthBytes;
  }

  /** A counted read of a group was made. */
  void isRead(GroupAddress group) {
    reports.read(group);
    wake();
  }

  /** Gives a piece of a group to another host: an answer that is an array of bytes as it leaves. */
  Object serve(FetchGroup request) throws IOException {
    try {
      return fetcher.serve(request);
    } catch (AccessException e) {
      askSoon = true; // the directory may have started anew, and given another secret
      wake();
      throw e;
    }
  }

  @Override
  public void unbound(GroupAddress... groups) {
    bound.unbound(groups);
  }

  @Override
  public GroupAddress[] dropped(GroupAddress... groups) {
    List<GroupAddress> done = new ArrayList<>();
    for (GroupAddress each : groups) {
      try {
        files.drop(each);
        done.add(each);
      } catch (IOException e) {
        LOG.log(Level.WARNING, "the stored group " + each + " cannot be dropped", e);
      }
    }
    return done.toArray(NONE);
  }

  /** A group has ended. */
  private void remove(GroupAddress group) {
    kept.remove(group);
    unbound(group);
    try {
      boolean goes =
          writers.removePacked(group)
              ? files.hasFetched(group)
              : writers.isOwn(group) || leftovers.mayRemove(group);
      if (goes) { // an own one of a pack may have come from another host again
        files.remove(group);
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the file of group " + group + " cannot be removed", e);
    }
  }

  private void take(Report.Answer answer) {
    for (GroupAddress each : answer.free()) {
      OpenGroup held = open.get(each);
      open.end(each);
      if (held != null && inventory.isHere(each)) {
        fileCame(each); // of which the directory was told before it was told of the hold
      }
    }
    leftovers.answered(answer.departed());
  }

  private void wake() {
    synchronized (work) {
      work.notifyAll();
    }
  }

  private void awaitWork() throws InterruptedException {
    Thread.sleep(ROUND_MILLIS);
    synchronized (work) {
      if (reports.isEmpty() && !askSoon && !closed) {
        work.wait(Directory.QUIET_MILLIS);
      }
    }
  }

  private boolean round() throws IOException {
    if (closed) {
      return false;
    }
    try {
      tellAndTidy();
    } catch (IOException | RuntimeException e) {
      if (!closed) { // else the directory was left meanwhile, and with it all that is to be told
        throw e;
      }
    }
    return true;
  }

  private void tellAndTidy() throws IOException {
    holds.sweep();
    open.endSent();
    awaitsJmx = awaitsJmx && bean != null && !bean.register(id());
    writers.tidy();
    boolean quiet = System.nanoTime() - reportedNanos > Directory.QUIET_MILLIS * 1_000_000;
    if (quiet || askSoon || !reports.isEmpty()) {
      askSoon = false;
      report();
    }
    boolean asks = System.nanoTime() - askedNanos > Directory.QUIET_MILLIS * 1_000_000;
    if (asks) {
      askedNanos = System.nanoTime();
    }
    if (leftovers.areDue() || asks && lendsUnderEarlierNumber()) {
      leftovers.remove();
    }
  }

  /**
   * Whether others may hold groups that this member has put under an earlier number. The directory
   * does not know whose they are, and tells any member of the host of their end.
   */
  private boolean lendsUnderEarlierNumber() {
    Joined now = directory.joined();
    return open.lent().stream()
        .anyMatch(each -> each.member() != now.member() || each.generation() != now.generation());
  }

  private void report() throws IOException {
    Report taken = reports.take();
    Repeated changes = new Repeated(taken);
    try {
      take(directory.update(changes));
      reportedNanos = System.nanoTime();
    } catch (IOException | RuntimeException e) {
      reports.takeBack(changes.left());
      throw e;
    } finally {
      reports.arrived(taken);
    }
  }

  @Override
  public Report everything() {
    return inventory.report(kept);
  }

  @Override
  public Map<String, Bound> bound() {
    return bound.all();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    wake();
    if (bean != null) {
      bean.unregister();
    }
    Spaces.left(this);
    try (files) {
      open.names().forEach(open::leave);
      for (GroupAddress each : directory.leave(reports.take()).free()) {
        remove(each);
      }
      writers.close();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.INFO, "the space " + url + " was not left in good order", e);
    }
  }

  @Override
  public String toString() {
    return "exchange space " + url + " at " + files;
  }
}
