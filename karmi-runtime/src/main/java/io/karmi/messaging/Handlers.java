package io.karmi.messaging;

import io.karmi.guard.StuckThreads;
import io.karmi.messaging.link.AnswersBeingMade;
import io.karmi.messaging.link.FairQueue;
import io.karmi.messaging.link.LookWatch;
import io.karmi.messaging.link.MessagingLog;
import io.karmi.technology.Pipe;
import io.karmi.technology.RuntimeThread;
import io.karmi.technology.RuntimeThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads that handle messages.
 *
 * <p>A lane with messages waits here for a thread. The thread takes a message out, calls the
 * program's handler, and goes on with the next one. If a handler takes long, its lane is taken away
 * from it, and for a while threads give that lane back before they call a handler. So messages of
 * one lane are handled in parallel where that is of use, but for those of the ordered lane.
 *
 * <p>No thread is woken for a message that a busy thread will take soon. For that to be safe, one
 * thread stands by: while messages are being handled it looks every millisecond, and {@link
 * LookWatch} sees to it that it does. If a link is not read because its reading thread handles a
 * message, another thread reads on. If lanes wait and no handler has ended for some milliseconds,
 * the handlers wait inside, and some more threads are let run; fewer while they {@linkplain
 * AnswersBeingMade make much}.
 *
 * <p>Thread-safe.
 */
final class Handlers implements LookWatch.Watched {
  private static final long LOOK_NANOS = 1_000_000;

  /** Time without messages after which they are not watched any more. */
  private static final long ATTENTION_NANOS = 50_000_000;

  /** Time without an ended handler, while lanes wait, after which handlers count as blocked. */
  private static final long PATIENCE_NANOS = 10_000_000;

  /** Time without getting on after which a thread that reads a message may be written off. */
  private static final long STUCK_NANOS = 400_000_000;

  /** Number of waiting lanes beyond which another thread is woken at once. */
  private static final int FEW = 4;

  /** Idle time after which a thread ends, if there are more than usual. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LinkOwner owner;
  private final Consumer<InLane> whereMoreWaits = this::add;
  private final int usual;
  private final int most;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition watch = lock.newCondition();

  /* All below is guarded by the lock. */
  private final FairQueue<InLane> ready;
  private int threads;

  /** Threads that wait for {@link #work}. */
  private int idle;

  /** The number of threads that handle messages, and its present limit. */
  private int busy;

  private int limit;
  private boolean standingBy;

  /** Whether the thread that stands by sleeps, as nothing was to be done when it looked. */
  private boolean asleep;

  private boolean watched;

  /** Messages of the threads that handle some, readers included, and of these alone. */
  private final ArrayList<Incoming> handling = new ArrayList<>();

  private final AnswersBeingMade making = new AnswersBeingMade();

  private final ArrayList<Incoming> readers = new ArrayList<>(1);

  /** Handlers that have ended, and when the last one did. */
  private long ended;

  private long endedAtNanos = System.nanoTime();
  private long usedAtNanos;
  private boolean closed;

  Handlers(LinkOwner owner, int usual, int most) {
    this.owner = owner;
    this.usual = usual;
    this.most = most;
    this.limit = usual;
    this.ready = new FairQueue<>(most, lane -> lane.link.pipe.host(), this::busyOf);
  }

  /** A lane has messages: some thread is to take them. */
  void add(InLane lane) {
    lock.lock();
    try {
      enqueue(lane);
      boolean wanted = busy == 0 || ready.size() > FEW && busy < limit;
      if (idle > 0) {
        if (wanted || !standingBy) {
          work.signal();
        }
      } else if (!standingBy || wanted && threads <= limit) {
        startThread();
      }
      ensureWatched();
    } finally {
      lock.unlock();
    }
  }

  private void enqueue(InLane lane) {
    usedAtNanos = System.nanoTime();
    ready.add(lane, usedAtNanos);
  }

  /**
   * The thread that reads a link asks whether it may handle messages itself.
   *
   * @return false if handlers have work, or as many readers as usual handlers do
   */
  boolean beginInReader(Incoming message) {
    lock.lock();
    try {
      if (!ready.isEmpty() || busy > 0 || readers.size() >= usual || closed) {
        return false;
      }
      usedAtNanos = System.nanoTime();
      readers.add(message);
      begin(message);
      if (threads == 0) {
        startThread();
      } else if (!standingBy) {
        work.signal();
      }
      ensureWatched();
      return true;
    } finally {
      lock.unlock();
    }
  }

  void endInReader(Incoming message) {
    lock.lock();
    try {
      readers.remove(message);
      end(message);
    } finally {
      lock.unlock();
    }
  }

  private void begin(Incoming message) {
    message.enough = false;
    message.handledHere();
    handling.add(message);
  }

  /**
   * A thread has handled what it had.
   *
   * @return whether it was written off, and so is not counted as busy
   */
  private boolean end(Incoming message) {
    StuckThreads.Entry entry = message.writtenOff;
    if (entry != null) {
      StuckThreads.back(entry);
    }
    handling.remove(message);
    message.forgetLook();
    gotOn();
    return entry != null;
  }

  private void gotOn() {
    ended++;
    endedAtNanos = System.nanoTime();
  }

  private void ensureWatched() {
    if (!watched) {
      LookWatch.begin(this); // first: there may be no memory for it
      watched = true;
    }
  }

  @Override
  public void look() {
    lock.lock();
    try {
      if (asleep && !isCalm()) {
        asleep = false;
        watch.signal();
      }
      if (closed || System.nanoTime() - usedAtNanos > ATTENTION_NANOS) {
        LookWatch.end(this);
        watched = false;
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isCalm() {
    return busy + readers.size() == 0 && ready.isEmpty();
  }

  /**
   * Starts a thread; one that cannot be started now is missed at the next message at the latest.
   */
  private void startThread() {
    if (closed || threads > most) {
      return;
    }
    threads++;
    boolean started = false;
    try {
      RuntimeThreads.start("KaRMI Messages", this::run, true);
      started = true;
    } catch (OutOfMemoryError e) {
      MessagingLog.LOG.log(System.Logger.Level.WARNING, "no thread to handle messages", e);
    } finally {
      if (!started) {
        threads--;
      }
    }
  }

  private void run() {
    Incoming message = new Incoming();
    InLane lane;
    while (message.writtenOff == null && (lane = take(message)) != null) {
      try {
        handle(lane, message, Integer.MAX_VALUE, whereMoreWaits);
      } finally {
        done(message);
      }
    }
  }

  private void done(Incoming message) {
    lock.lock();
    try {
      if (!end(message)) {
        busy--;
      }
      if (busy < usual) {
        limit = usual;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a lane; null if this thread is to end. */
  private @Nullable InLane take(Incoming message) {
    lock.lock();
    try {
      while (!closed) {
        InLane lane = busy < limit ? ready.poll(busy) : null;
        if (lane == null && !standingBy) {
          lane = standBy();
        } else if (lane == null && !awaitWork() && threads > usual + 1 && ready.isEmpty()) {
          break;
        }
        if (lane != null) {
          busy++;
          begin(message);
          message.link = lane.link;
          if (!standingBy) {
            leaveOneStandingBy();
          }
          return lane;
        }
      }
      threads--;
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The thread that stood by, or was to, has found a lane: lanes that wait, and messages behind one
   * that takes long, need another one that does.
   */
  private void leaveOneStandingBy() {
    if (idle > 0) {
      work.signal();
    } else {
      startThread();
    }
  }

  /** False if there was none for long. */
  private boolean awaitWork() {
    idle++;
    try {
      return work.awaitNanos(KEPT_NANOS) > 0;
    } catch (InterruptedException e) {
      return true; // a handler has interrupted its own thread
    } finally {
      idle--;
    }
  }

  /** Looks now and then, until a lane waits for this thread; that one is returned. */
  private @Nullable InLane standBy() {
    standingBy = true;
    try {
      while (!closed) {
        long endedBefore = ended;
        awaitLook();
        if (!readers.isEmpty()) {
          owner.relieveReaders();
        }
        lookAtThoseBusy();
        writeOffStuck();
        if (ready.isEmpty()) {
          continue;
        }
        boolean wanted = busy == 0 || letOneMoreRun(ended == endedBefore);
        InLane taken = wanted ? ready.poll(busy) : null;
        if (taken != null) {
          return taken;
        }
      }
      return null;
    } finally {
      standingBy = false;
    }
  }

  /**
   * Whether one more thread may run. If those that do wait inside, some more may; if they make
   * much, one more now and then, and the others that end are not replaced.
   *
   * @param noneEnded whether no handler has ended since the last look
   */
  private boolean letOneMoreRun(boolean noneEnded) {
    boolean much = making.isMuch(madeBytes());
    if (much) {
      limit = Math.max(usual, Math.min(limit, busy - 1));
    }
    if (!noneEnded) {
      return false; // and what makes one more run is kept for the next look
    }
    if (busy >= limit) {
      if (busy >= most - 1 || !(much ? making.letOneMoreRun() : areBlocked(System.nanoTime()))) {
        return false;
      }
      limit = much ? busy + 1 : Math.min(most, busy + usual);
    }
    return true;
  }

  private long madeBytes() {
    long bytes = 0;
    for (int i = 0; i < handling.size(); i++) {
      bytes += handling.get(i).madeBytes();
    }
    return bytes;
  }

  /** Whether those that handle messages wait inside. */
  private boolean areBlocked(long now) {
    return now - endedAtNanos > PATIENCE_NANOS && now - ready.sinceNanos() > PATIENCE_NANOS;
  }

  /**
   * A thread that gets on stops soon if other lanes wait. One that does not loses its lane, if
   * messages of that may be handled in parallel.
   */
  private void lookAtThoseBusy() {
    for (int i = 0; i < handling.size(); i++) {
      Incoming each = handling.get(i);
      InLane lane = each.lane;
      if (lane == null) {
        continue;
      }
      long turn = lane.turn();
      if (each.hasMovedOn(lane, turn)) {
        gotOn();
        each.enough |= !ready.isEmpty();
      } else if (lane.number != 0 && lane.takeAway(turn) && lane.hasMore()) {
        enqueue(lane);
      }
    }
  }

  /**
   * Writes off threads that do not get on with reading a message, because code of others does not
   * come back, or because the machine gives them no processor.
   *
   * <p>All of those whose link has ended: one that comes back leaves what has come behind its
   * message to others, so that nothing is lost. And the one that is stuck for the longest time,
   * where no thread is left for the lanes that wait, or none of their host's share. Then its link
   * is dropped.
   */
  private void writeOffStuck() {
    boolean crowded = !ready.isEmpty() && (busy >= most - 1 || ready.peek(busy) == null);
    long now = System.nanoTime();
    long longestNanos = STUCK_NANOS;
    Incoming longest = null;
    for (int i = handling.size() - 1; i >= 0; i--) {
      Incoming each = handling.get(i);
      long stuckNanos = each.stuckNanos(now);
      InLane lane = each.reading;
      if (lane != null && stuckNanos > STUCK_NANOS && lane.link.isLost()) {
        writeOff(each, lane.link);
      } else if (lane != null && stuckNanos > longestNanos) {
        longestNanos = stuckNanos;
        longest = each;
      }
    }
    InLane lane = longest == null ? null : longest.reading;
    if (crowded && longest != null && lane != null && writeOff(longest, lane.link)) {
      owner.execute(() -> lane.link.drop(new IOException("a message does not come to its end")));
    }
  }

  /** False if too many threads are written off. */
  private boolean writeOff(Incoming message, Link link) {
    StuckThreads.Entry entry =
        StuckThreads.writeOff(link.pipe.host(), "reads a message of " + link.address);
    if (entry == null) {
      return false;
    }
    message.writtenOff = entry;
    message.enough = true;
    handling.remove(message);
    if (!readers.remove(message)) {
      busy--;
      threads--;
    }
    return true;
  }

  private int busyOf(Object host) {
    int count = 0;
    for (Incoming each : handling) {
      Link link = each.link;
      count += link != null && host.equals(link.pipe.host()) ? 1 : 0;
    }
    return count;
  }

  private void awaitLook() {
    asleep = isCalm();
    try {
      if (asleep) {
        watch.await();
      } else {
        watch.awaitNanos(LOOK_NANOS);
      }
    } catch (InterruptedException e) {
      // a handler has interrupted its own thread: it looks once more
    } finally {
      asleep = false;
    }
  }

  /**
   * Handles messages of a lane, until there are no more or other lanes wait.
   *
   * @param most how many messages at most
   * @param whereMoreWaits takes the lane if messages are left
   */
  void handle(InLane lane, Incoming message, int most, Consumer<InLane> whereMoreWaits) {
    if (lane.number != 0 && !lane.mayBeKept()) {
      handleOne(lane, message, whereMoreWaits);
      return;
    }
    Pipe outer = RuntimeThread.sender(); // of a handler that waits for the answer to a request
    RuntimeThread.handleMessageOf(lane.link.pipe);
    message.lane = lane;
    try {
      if (handleKept(lane, message, most) && lane.hasMore()) {
        whereMoreWaits.accept(lane);
      }
    } catch (IOException | RuntimeException | Error e) {
      lane.link.drop(e);
    } finally {
      message.lane = null;
      RuntimeThread.handleMessageOf(outer);
    }
  }

  /** True if the lane is left with this thread, false if it is free or has been taken away. */
  private boolean handleKept(InLane lane, Incoming message, int most) throws IOException {
    for (int left = most; left > 0; left--) {
      if (!lane.next(message)) {
        return false;
      }
      long turn = lane.beginTurn();
      deliver(lane.link, message);
      if (!lane.goOn(turn)) {
        return false;
      }
      if (message.enough) {
        break;
      }
    }
    return true;
  }

  /** Takes one message out of a lane, gives the lane back, and handles the message. */
  void handleOne(InLane lane, Incoming message, Consumer<InLane> whereMoreWaits) {
    boolean ordered = lane.number == 0;
    Pipe outer = RuntimeThread.sender();
    RuntimeThread.handleMessageOf(lane.link.pipe);
    try {
      if (!lane.next(message)) {
        return;
      }
      if (!ordered && lane.hasMore()) {
        whereMoreWaits.accept(lane);
      }
      deliver(lane.link, message);
      if (ordered && lane.hasMore()) {
        whereMoreWaits.accept(lane);
      }
    } catch (IOException | RuntimeException | Error e) {
      lane.link.drop(e);
    } finally {
      RuntimeThread.handleMessageOf(outer);
    }
  }

  private void deliver(Link link, Incoming message) {
    try {
      owner.deliver(link, message);
    } finally {
      if (!message.owesAnswer) {
        link.processed(message.frameBytes, message.bringsReferences);
      }
      message.clear();
    }
  }

  /** Whether no message is being handled, and none waits to be. */
  boolean isIdle() {
    lock.lock();
    try {
      return ready.isEmpty() && busy + readers.size() == 0;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      ready.clear();
      work.signalAll();
      watch.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
