package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Attempts;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Member;
import io.karmi.exchange.directory.Repeated;
import io.karmi.exchange.directory.Report;
import io.karmi.messaging.Address;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a space in ZooKeeper as a member sees them. A server that is lost is replaced by
 * another one of the cluster; a session that has ended is begun again, and all is told again.
 */
final class ZooKeeperDirectory implements Directory {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  /** The longest that a lookup waits, in milliseconds; who waits longer asks again. */
  private static final long MAXIMUM_WAIT_MILLIS = 10_000;

  private static final GroupAddress[] NONE = {};

  private final String url;
  private final Address messaging;
  private final Store store;
  private final Nodes nodes;
  private final long limit = Attempts.limitMillis();
  private final Members members;
  private final Keys keys;
  private final OwnKeys ownKeys;
  private final Sweep sweep;
  private final Unfinished unfinished = new Unfinished();
  private final Nodes.Space space;
  private volatile Joined joined;
  private volatile boolean closed;

  /* Set by begin(). */
  private volatile @Nullable Member member;
  private volatile long host;

  /* Guarded by this: its node, and the session in which that was made. */
  private String path = "";
  private long session;

  /** Whether all was told under that number; guarded by this. */
  private boolean isTold = true;

  private volatile @Nullable FreeFiles freeFiles;

  /** Whether a node was asked for and no answer has come; guarded by this. */
  private boolean isRegistering;

  private ZooKeeperDirectory(
      String url, Address messaging, Store store, Nodes nodes, Nodes.Space space) {
    this.url = url;
    this.messaging = messaging;
    this.store = store;
    this.nodes = nodes;
    this.space = space;
    members = new Members(store, nodes);
    keys = new Keys(store, nodes, !Settings.EXCHANGE_KEEP.is("false"), limit);
    ownKeys = new OwnKeys(store, nodes, limit);
    sweep = new Sweep(store, nodes, members, keys, limit);
    joined = new Joined(0, space.generation(), space.id(), space.secret());
  }

  /** Joins the space below a node, which is made if it is not there. */
  static ZooKeeperDirectory join(String url, String servers, String root, Address messaging)
      throws IOException {
    Store store = Sessions.start(url, servers);
    try {
      Nodes nodes = new Nodes(root);
      Nodes.Space space = await(url, () -> false, () -> SpaceNodes.makeOrRead(store, nodes));
      return new ZooKeeperDirectory(url, messaging, store, nodes, space);
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Something that is asked of ZooKeeper. */
  @FunctionalInterface
  private interface Question<A extends @Nullable Object> {
    A ask() throws IOException, KeeperException;
  }

  /** Asks again while no server can be reached, within the limit. */
  private static <A extends @Nullable Object> A await(
      String url, BooleanSupplier isLeft, Question<A> question) throws IOException {
    Attempts attempts = new Attempts(url);
    while (true) {
      try {
        return question.ask();
      } catch (KeeperException.ConnectionLossException
          | KeeperException.OperationTimeoutException
          | KeeperException.SessionExpiredException
          | KeeperException.SessionMovedException e) {
        attempts.failed(e, isLeft.getAsBoolean());
      } catch (KeeperException e) {
        throw new IOException(url + " refuses: " + e.getMessage(), e);
      }
    }
  }

  /** The same of this member, which is told again if its session has ended. */
  private <A> A ask(Question<A> question) throws IOException {
    return await(
        url,
        () -> closed,
        () -> {
          String known = path();
          try {
            checkTold();
            return question.ask();
          } catch (MembershipLostException e) {
            joinAgain(known);
            return question.ask();
          }
        });
  }

  /**
   * This member's node. Who asks while it joins again waits: what has ended meanwhile must not be
   * told before what there was.
   */
  private synchronized String path() {
    return path;
  }

  private synchronized void joinAgain(String lost) throws IOException, KeeperException {
    Member reporting = member;
    if (!path.equals(lost) && isTold || reporting == null || closed) {
      return;
    }
    if (isTold || !store.isSession(session)) {
      LOG.log(Level.INFO, "the session at {0} has ended: this member joins it again", url);
      String before = path;
      register();
      isTold = false;
      Store.await(store.commit(Store.delete(before)), limit); // of which the servers may know still
    }
    tellAll(reporting);
    isTold = true;
  }

  private synchronized void checkTold() throws MembershipLostException {
    if (!isTold) {
      throw new MembershipLostException(path);
    }
  }

  private void tellAll(Member reporting) throws IOException, KeeperException {
    work(new Repeated(reporting.everything()));
    for (Map.Entry<String, Member.Bound> each : reporting.bound().entrySet()) {
      GroupAddress group = each.getValue().group();
      try {
        keys.bind(each.getKey(), group, false, turn());
        ownKeys.add(each.getKey(), group);
      } catch (KeyTakenException e) {
        LOG.log(Level.DEBUG, "another member has bound it since", e);
        reporting.unbound(group);
      }
    }
  }

  /** Makes the node of this member, and what its host is told by. */
  private void register() throws IOException, KeeperException {
    SpaceNodes.makeHost(store, nodes, host);
    byte[] about = new Nodes.Member(host, messaging).bytes();
    boolean again = isRegistering;
    isRegistering = true;
    String made = Store.await(store.createNumbered(nodes.newMember(), about), limit);
    if (again) {
      SpaceNodes.removeOthers(store, nodes, made, limit);
    }
    Store.Data data = Store.await(store.data(made), limit);
    if (data == null) {
      throw new MembershipLostException(made);
    }
    freeFiles = new FreeFiles(store, nodes, members, host, limit);
    joined = new Joined(Nodes.number(made), space.generation(), space.id(), space.secret());
    path = made;
    session = data.stat().getEphemeralOwner();
    members.fresh(limit);
    isRegistering = false;
  }

  @Override
  public Joined joined() {
    return joined;
  }

  @Override
  public void begin(Member reporting, long ofHost) throws IOException {
    await(
        url,
        () -> closed,
        () -> {
          synchronized (this) {
            host = ofHost;
            register();
            member = reporting;
          }
          return reporting;
        });
  }

  private Turn turn() throws IOException, KeeperException {
    return turn(members.now(limit));
  }

  private synchronized Turn turn(Members.Living living) {
    return new Turn(store, nodes, path, session, host, living, unfinished);
  }

  @Override
  public Report.Answer update(Repeated left) throws IOException {
    return ask(
        () -> {
          Report changes = left.left();
          work(left);
          boolean asksOnly = changes.files().length > 0 && changes.held().length == 0;
          if (!asksOnly) {
            tidy();
            lookAtKeys();
          }
          return answer(0);
        });
  }

  /** Tells this member of keys that it has bound, and that are bound so no more. */
  private void lookAtKeys() throws IOException, KeeperException {
    Member told = member;
    Set<OwnKeys.Key> gone = ownKeys.look();
    if (gone.isEmpty() || told == null) {
      return;
    }
    String node = path();
    if (!Store.await(store.exists(node, null), limit)) {
      throw new MembershipLostException(node); // with which they may have gone
    }
    told.unbound(gone.stream().map(OwnKeys.Key::group).toArray(GroupAddress[]::new));
    Turn turn = turn();
    Store.all(gone, each -> turn.endIfFree(each.group()), limit); // where a tool has removed a key
    ownKeys.forget(gone);
  }

  private Report.Answer answer(long order) {
    return new Report.Answer(unfinished.takeFree().toArray(NONE), members.departed(host), order);
  }

  /**
   * Does what a report says, and before it what an earlier one has left undone.
   *
   * @param left the report
   */
  private void work(Repeated left) throws IOException, KeeperException {
    Report changes = left.left();
    String node = path();
    if (!Store.await(store.exists(node, null), limit)) {
      throw new MembershipLostException(node);
    }
    Turn turn = turn();
    Store.all(unfinished.steps(), turn::goOn, limit);
    Map<GroupAddress, Integer> held = new HashMap<>();
    for (int i = 0; i < changes.held().length; i++) {
      held.put(changes.held()[i], changes.reads()[i]);
    }
    Set<GroupAddress> files = new HashSet<>(Arrays.asList(changes.files()));
    Store.all(held.keySet(), each -> turn.hold(each, files.contains(each)), limit);
    held.values().removeIf(reads -> reads == 0);
    held.keySet().removeIf(each -> !turn.mayOwn(each, space.generation()));
    Store.all(held.entrySet(), each -> turn.count(each.getKey(), each.getValue()), limit);
    Store.all(List.of(changes.added()), turn::refer, limit);
    left.readsMayCount();
    Store.all(List.of(changes.read()), turn::read, limit);
    files.removeAll(Arrays.asList(changes.held()));
    Store.all(files, turn::file, limit);
    Store.all(List.of(changes.released()), turn::release, limit);
    if (!turn.lost.isEmpty()) {
      Turn now = turn(members.fresh(limit));
      for (GroupAddress each : turn.lost) {
        sweep.look(each, now);
      }
    }
  }

  /** Takes what this host is told; the first member looks for what others have left. */
  private void tidy() throws IOException, KeeperException {
    Turn turn = turn();
    FreeFiles files = freeFiles;
    if (files != null) {
      files.take(turn);
    }
    if (turn.living.isFirst(turn.me)) {
      try {
        sweep.goOn(this::turn);
      } catch (IOException | KeeperException e) {
        members.putBackLeft();
        throw e;
      }
    }
  }

  @Override
  public Report.Answer bind(String key, GroupAddress group, boolean replace, Repeated left)
      throws IOException {
    return ask(
        () -> {
          work(left);
          Turn turn = turn();
          if (!turn.mayOwn(group, space.generation())) {
            throw new IllegalArgumentException("a group of member " + group.member());
          }
          long order = keys.bind(key, group, replace, turn);
          ownKeys.add(key, group);
          return answer(order);
        });
  }

  @Override
  public @Nullable Found lookup(String key, long waitMillis)
      throws IOException, InterruptedException {
    long wait = Math.max(0, Math.min(waitMillis, MAXIMUM_WAIT_MILLIS));
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
    while (true) {
      Optional<Keys.Bound> found =
          await(url, () -> closed, () -> Optional.ofNullable(keys.find(key)));
      if (found.isPresent()) {
        GroupAddress group = found.get().key().group();
        return new Found(group, holders(group));
      }
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return null;
      }
      awaitKey(nodes.key(key), left);
    }
  }

  /** Waits until a key is bound, its session changes, or the time is over. */
  private void awaitKey(String node, long millis) throws IOException, InterruptedException {
    CountDownLatch changed = new CountDownLatch(1);
    Watcher watcher = event -> changed.countDown();
    if (!await(url, () -> closed, () -> Store.await(store.exists(node, watcher), limit))) {
      changed.await(millis, TimeUnit.MILLISECONDS);
    }
    if (changed.getCount() > 0) {
      store.forget(node, watcher);
    }
  }

  @Override
  public Address[] holders(GroupAddress group) throws IOException {
    return await(url, () -> closed, () -> sources(group));
  }

  /**
   * One member of each host that has a group's file, the owner where it lives, in any order. Where
   * there is none, those who hold it: they may have it, and not have told of it yet.
   */
  private Address[] sources(GroupAddress group) throws IOException, KeeperException {
    List<String> children = Store.await(store.children(nodes.group(group), null), limit);
    Members.Living living = members.now(limit);
    Nodes.Member owner =
        group.generation() == space.generation() ? living.get(group.member()) : null;
    List<Address> sources = new ArrayList<>();
    if (owner != null) {
      sources.add(owner.messaging());
    }
    List<String> about = children == null ? List.of() : children;
    for (String each : about) {
      Long at = each.charAt(0) == Nodes.HOST ? Nodes.host(each) : null;
      if (at == null || owner != null && owner.host() == at) {
        continue;
      }
      List<Nodes.Member> there = living.of(at);
      if (!there.isEmpty()) {
        sources.add(there.get((int) (Math.random() * there.size())).messaging());
      }
    }
    for (String each : sources.isEmpty() ? about : List.<String>of()) {
      Nodes.Member holder =
          each.charAt(0) == Nodes.HOLDER ? living.get(Nodes.memberOf(each)) : null;
      if (holder != null) {
        sources.add(holder.messaging());
      }
    }
    Collections.shuffle(sources);
    return sources
        .subList(0, Math.min(sources.size(), Directory.MAXIMUM_SOURCES))
        .toArray(new Address[0]);
  }

  /** For tests. */
  Store store() {
    return store;
  }

  @Override
  public long calls() {
    return store.calls();
  }

  @Override
  public Report.Answer leave(Report last) throws IOException {
    closed = true;
    try {
      Repeated left = new Repeated(last);
      if (!path().isEmpty() && store.isConnected()) {
        await(
            url,
            () -> true,
            () -> {
              work(left);
              return last;
            });
      }
      return answer(0);
    } finally {
      store.close();
    }
  }
}
