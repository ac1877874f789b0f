package io.karmi.exchange.zookeeper;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Questions to ZooKeeper, many under way at a time; Curator keeps the session. Each answer comes in
 * a future, which ends with a {@link KeeperException} if the question could not be answered.
 * Futures end in ZooKeeper's thread: what depends on them must not wait. Thread-safe.
 */
final class Store implements AutoCloseable {
  /** Questions under way in {@link #all}. */
  private static final int UNDER_WAY = 256;

  private final CuratorFramework client;
  private final List<ACL> access;
  private final AtomicLong calls = new AtomicLong();

  /**
   * Asks by a client that has been started.
   *
   * @param access to all nodes that are made
   */
  Store(CuratorFramework client, List<ACL> access) {
    this.client = client;
    this.access = access;
  }

  /** How many questions have gone out. */
  long calls() {
    return calls.get();
  }

  /** The session, for tests. */
  ZooKeeper session() throws KeeperException {
    return keeper();
  }

  boolean isConnected() {
    return client.getZookeeperClient().isConnected();
  }

  private ZooKeeper keeper() throws KeeperException {
    calls.incrementAndGet();
    try {
      return client.getZookeeperClient().getZooKeeper();
    } catch (KeeperException e) {
      throw e;
    } catch (Exception e) {
      KeeperException lost = new KeeperException.ConnectionLossException();
      lost.initCause(e);
      throw lost;
    }
  }

  /** Asks a question by the client of the session. */
  private interface Question<A> {
    void ask(ZooKeeper keeper, CompletableFuture<A> answer);
  }

  private <A> CompletableFuture<A> ask(Question<A> question) {
    CompletableFuture<A> answer = new CompletableFuture<>();
    try {
      question.ask(keeper(), answer);
    } catch (KeeperException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private static KeeperException problem(int code, String path) {
    return KeeperException.create(Code.get(code), path);
  }

  /**
   * How a transaction ended.
   *
   * @param code OK if all was done, else nothing was done
   * @param at which operation has failed
   */
  record Outcome(Code code, int at) {
    boolean isDone() {
      return code == Code.OK;
    }

    boolean failed(int operation, Code with) {
      return at == operation && code == with;
    }
  }

  /** Whether questions are asked in some session. */
  boolean isSession(long session) throws KeeperException {
    return keeper().getSessionId() == session;
  }

  /**
   * Does all or nothing, in one session only. Curator begins another one where it has had no
   * connection for as long as a session lasts, though the servers know the first one still.
   */
  CompletableFuture<Outcome> commit(List<Op> operations, long session) {
    return ask(
        (keeper, answer) -> {
          if (keeper.getSessionId() == session) {
            commit(operations, keeper, answer);
          } else {
            answer.completeExceptionally(new MembershipLostException(operations.get(0).getPath()));
          }
        });
  }

  /** Does all or nothing. */
  CompletableFuture<Outcome> commit(List<Op> operations) {
    return ask((keeper, answer) -> commit(operations, keeper, answer));
  }

  private static void commit(
      List<Op> operations, ZooKeeper keeper, CompletableFuture<Outcome> answer) {
    keeper.multi(
        operations,
        (code, path, context, results) -> {
          Outcome outcome = outcome(code, results);
          if (outcome == null) {
            answer.completeExceptionally(problem(code, operations.get(0).getPath()));
          } else {
            answer.complete(outcome);
          }
        },
        null);
  }

  /** Null if the question was not answered. */
  private static @Nullable Outcome outcome(int code, @Nullable List<OpResult> results) {
    if (code == Code.OK.intValue()) {
      return new Outcome(Code.OK, -1);
    }
    for (int i = 0; results != null && i < results.size(); i++) {
      if (results.get(i) instanceof OpResult.ErrorResult failed && failed.getErr() != 0) {
        Code with = Code.get(failed.getErr());
        switch (with) {
          case NONODE, NODEEXISTS, NOTEMPTY, BADVERSION -> {
            return new Outcome(with, i);
          }
          default -> {
            return null;
          }
        }
      }
    }
    return null;
  }

  CompletableFuture<Outcome> commit(Op... operations) {
    return commit(Arrays.asList(operations));
  }

  Op create(String path, byte[] data, CreateMode mode) {
    return Op.create(path, data, access, mode);
  }

  Op create(String path, byte... data) {
    return create(path, data, CreateMode.PERSISTENT);
  }

  static Op delete(String path) {
    return Op.delete(path, -1);
  }

  /** Makes an ephemeral node with a number behind its name; its whole path. */
  CompletableFuture<String> createNumbered(String path, byte... data) {
    return ask(
        (keeper, answer) ->
            keeper.create(
                path,
                data,
                access,
                CreateMode.EPHEMERAL_SEQUENTIAL,
                (code, asked, context, name) -> {
                  if (code == Code.OK.intValue()) {
                    answer.complete(name);
                  } else {
                    answer.completeExceptionally(problem(code, asked));
                  }
                },
                null));
  }

  /**
   * Names of a node's children; the future has null if there is no such node.
   *
   * @param watcher told once when they change; null for none
   */
  CompletableFuture<@Nullable List<String>> children(String path, @Nullable Watcher watcher) {
    return ask(
        (keeper, answer) ->
            keeper.getChildren(
                path,
                watcher,
                (int code, String asked, Object context, List<String> names) -> {
                  if (code == Code.OK.intValue() || code == Code.NONODE.intValue()) {
                    answer.complete(names);
                  } else {
                    answer.completeExceptionally(problem(code, asked));
                  }
                },
                null));
  }

  /**
   * What is in a node.
   *
   * @param bytes none is null
   */
  record Data(byte @Nullable [] bytes, Stat stat) {}

  /** What is in a node; the future has null if there is no such node. */
  CompletableFuture<@Nullable Data> data(String path) {
    return data(path, null);
  }

  /**
   * The same.
   *
   * @param watcher told once when it changes; null for none
   */
  CompletableFuture<@Nullable Data> data(String path, @Nullable Watcher watcher) {
    return ask(
        (keeper, answer) ->
            keeper.getData(
                path,
                watcher,
                (code, asked, context, bytes, stat) -> {
                  if (code == Code.OK.intValue()) {
                    answer.complete(new Data(bytes, stat));
                  } else if (code == Code.NONODE.intValue()) {
                    answer.complete(null);
                  } else {
                    answer.completeExceptionally(problem(code, asked));
                  }
                },
                null));
  }

  /**
   * Whether there is a node.
   *
   * @param watcher told once when that changes; null for none
   */
  CompletableFuture<Boolean> exists(String path, @Nullable Watcher watcher) {
    return ask(
        (keeper, answer) ->
            keeper.exists(
                path,
                watcher,
                (code, asked, context, stat) -> {
                  if (code == Code.OK.intValue() || code == Code.NONODE.intValue()) {
                    answer.complete(stat != null);
                  } else {
                    answer.completeExceptionally(problem(code, asked));
                  }
                },
                null));
  }

  /** A watcher is of no use any more. */
  void forget(String path, Watcher watcher) {
    try {
      keeper().removeWatches(path, watcher, Watcher.WatcherType.Any, true, (c, p, x) -> {}, null);
    } catch (KeeperException e) {
      return; // it goes with the connection
    }
  }

  /**
   * Waits for an answer.
   *
   * @param millis limit
   */
  static <A extends @Nullable Object> A await(CompletableFuture<A> answer, long millis)
      throws IOException, KeeperException {
    try {
      return answer.get(millis, TimeUnit.MILLISECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      KeeperException late = new KeeperException.OperationTimeoutException();
      late.initCause(e);
      throw late;
    } catch (java.util.concurrent.ExecutionException e) {
      throw cause(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while ZooKeeper is asked");
    }
  }

  private static KeeperException cause(Throwable problem) throws IOException {
    Throwable cause = problem;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof KeeperException keeper) {
      return keeper;
    }
    if (cause instanceof IOException io) {
      throw io;
    }
    throw new IOException(cause.getMessage(), cause);
  }

  /**
   * Asks one question for each element, some at a time, and waits for all answers.
   *
   * @param millis limit for the next answer
   * @throws KeeperException the first one, if one has failed
   */
  static <E> void all(Collection<E> elements, Function<E, CompletableFuture<?>> ask, long millis)
      throws IOException, KeeperException {
    Semaphore room = new Semaphore(UNDER_WAY);
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    for (E each : elements) {
      if (failed.get() != null) {
        break;
      }
      take(room, millis);
      ask.apply(each)
          .whenComplete(
              (answer, problem) -> {
                if (problem != null) {
                  failed.compareAndSet(null, problem);
                }
                room.release();
              });
    }
    for (int i = 0; i < UNDER_WAY; i++) {
      take(room, millis);
    }
    Throwable problem = failed.get();
    if (problem != null) {
      throw cause(problem);
    }
  }

  private static void take(Semaphore room, long millis) throws IOException, KeeperException {
    try {
      if (!room.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
        throw new KeeperException.OperationTimeoutException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while ZooKeeper is asked");
    }
  }

  /** An answer that has come. */
  static CompletableFuture<@Nullable Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  /** Asks one question for each element, all at a time. */
  static <E> CompletableFuture<@Nullable Void> each(
      Collection<E> elements, Function<E, CompletableFuture<?>> ask) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    elements.forEach(each -> all.add(ask.apply(each)));
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }

  @Override
  public void close() {
    client.close();
  }
}
