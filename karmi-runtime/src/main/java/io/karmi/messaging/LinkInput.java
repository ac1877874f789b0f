package io.karmi.messaging;

import io.karmi.messaging.frame.FrameFinder;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.frame.ReceiveWindow;
import io.karmi.messaging.link.LinkSelector;
import io.karmi.messaging.link.ReadPace;
import io.karmi.messaging.link.ReaderRole;
import io.karmi.technology.Pipe;
import io.karmi.technology.RuntimeThreads;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a link: reads bytes, has the frames in them given to their lanes, and has
 * messages handled.
 *
 * <p>One thread at a time reads. While the link is calm it is the {@link LinkSelector}'s, if the
 * network tells when something has come. Else it is the link's own, or one that waits for an answer
 * and reads just that itself ({@link ReaderRole}). Where few messages have come and no handler is
 * busy, the thread that reads handles them itself, so that no other has to be woken. If this takes
 * long, {@link #isStuck}, another thread goes on reading, and the link leaves all to the handlers
 * for a while.
 *
 * <p>The window holds here, too: a peer that sends more than it was granted has broken the rules.
 */
final class LinkInput implements FrameFinder.Side<InLane> {
  /** Time a message may take in the reading thread before another thread reads on. */
  private static final long STUCK_NANOS = 1_000_000;

  /**
   * Time during which the reading thread begins messages of one read, if they are of many lanes.
   */
  private static final long BATCH_NANOS = 50_000;

  /** The same for messages of one lane, where another thread would gain less. */
  private static final long BATCH_OF_ONE_LANE_NANOS = 250_000;

  /** Upper bound of messages between two looks at the clock; begins with 1 and doubles. */
  private static final int MAXIMUM_UNTIMED = 256;

  /** Longest time that a thread that waits for an answer reads. */
  private static final int ANSWER_MILLIS = 10;

  /**
   * Time after a stuck message during which handlers take all messages: the shortest, for a thread
   * that may only have been without a processor, and the longest.
   */
  private static final long SHORT_SLOW_NANOS = 2_000_000;

  private static final long LONG_SLOW_NANOS = 1_000_000_000L;

  /** Time to wait for bytes: not at all, and as long as it takes. */
  private static final int NOW = 0;

  private static final int FOR_EVER = -1;

  /** Time without reads after which a link gives its chunk back, and is left to the selector. */
  private static final int REST_MILLIS = 1_000;

  private final Link link;
  private final ReceiveWindow window;
  private final FrameFinder<InLane> frames;
  private final ReaderRole role = new ReaderRole();
  private final ReadPace pace = new ReadPace();
  private final Runnable hasNews;

  /** Null while nothing is to be read and the network tells when there is. */
  private volatile @Nullable Thread reader;

  /** Whether the network tells when there is something to be read. */
  private volatile boolean tells;

  /** Whether the selector reads; guarded by this. */
  private boolean selected;

  /** When the reading thread began to handle a message itself; 0 while it does not. */
  private volatile long handlingSinceNanos;

  private volatile long slowUntilNanos = System.nanoTime();

  /** Length of the next such time; doubles each time, shrinks after messages in time. */
  private volatile long slowNanos = SHORT_SLOW_NANOS;

  private volatile long usedAtNanos = System.nanoTime();

  /**
   * Lanes that the reading thread is about to handle itself; guarded by this. No lock of the
   * handlers' is to be taken inside: they have theirs when they relieve the reader.
   */
  private final ArrayDeque<InLane> own = new ArrayDeque<>();

  /** What a link that rests reads first. */
  private final byte[] header = new byte[MessageFrame.HEADER_BYTES];

  /** Whether nothing has come for a while; of the link's own thread. */
  private boolean resting;

  /** Of the thread that reads; another one that still handles a message keeps the one it has. */
  private Incoming message = new Incoming();

  private final Consumer<InLane> whereOwnWait = this::addOwn;

  LinkInput(Link link, ReceiveWindow window) {
    this.link = link;
    this.window = window;
    frames = new FrameFinder<>(this, window, link.owner.arrays());
    LinkSelector selector = link.owner.selector();
    Runnable whenReadable = this::readCalm;
    hasNews = () -> selector.add(whenReadable);
  }

  /** Begins to read: the link is idle. */
  void start() {
    tells = leaveToSelector();
    if (!tells) {
      startThread();
    }
  }

  /** Has the selector read from now on; false if the network does not tell when there is news. */
  private boolean leaveToSelector() {
    return link.pipe.tellWhenReadable(hasNews);
  }

  private synchronized void startThread() {
    pace.setBusy();
    selected = false;
    Thread made =
        RuntimeThreads.start("KaRMI Messages from " + link.pipe.peerName(), this::run, true);
    reader = made;
  }

  /** The selector's thread reads what has come, once. */
  private void readCalm() {
    synchronized (this) {
      reader = Thread.currentThread();
      selected = true;
    }
    try {
      if (!link.isLost() && read(NOW)) {
        handle();
      }
      if (isDoneCalm()) {
        leaveToSelector();
      }
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    }
  }

  /** Whether the selector goes on with this link, and not another thread. */
  private synchronized boolean isDoneCalm() {
    if (!isReader()) {
      return false;
    }
    reader = null;
    if (link.isLost() || !pace.isBusy()) {
      return !link.isLost();
    }
    startThread();
    return false;
  }

  /** This thread leaves the link to the selector if it can. */
  private boolean endIfCalm() {
    synchronized (this) {
      if (!tells || !pace.isCalm() || !role.isOwn() || !isReader()) {
        return false;
      }
      reader = null;
    }
    return leaveToSelector();
  }

  private synchronized boolean isReader() {
    return reader == Thread.currentThread();
  }

  private void run() {
    try {
      while (isReader() && !link.isLost()) {
        if (role.isOwn()) {
          if (readOn()) {
            handle();
          }
          if (endIfCalm()) {
            return;
          }
        } else {
          role.await();
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    }
  }

  /** Reads; a link that rests does so without a chunk. */
  private boolean readOn() throws IOException {
    if (resting && !frames.readsPart()) {
      resting = false;
      return readHeader();
    }
    boolean some = read(link.pipe.isTimed() ? REST_MILLIS : FOR_EVER);
    if (!some) {
      frames.shrink();
      pace.setCalm();
      if (!tells) { // else the selector reads on
        frames.rest();
        resting = true;
      }
    }
    return some;
  }

  /** Waits for the beginning of a frame, as long as it takes. */
  private boolean readHeader() throws IOException {
    frames.put(header, receive(header, 0, header.length, FOR_EVER));
    return true;
  }

  /**
   * Reads what has come, and gives it to the lanes.
   *
   * @param millis how long to wait for it, {@link #FOR_EVER} or {@link #NOW}
   * @return false if nothing has come
   */
  private boolean read(int millis) throws IOException {
    int room = frames.makeRoom();
    int count = receive(frames.bytes(), frames.end(), room, millis);
    if (count > 0) {
      frames.come(count);
    }
    return count > 0;
  }

  private int receive(byte[] to, int offset, int room, int millis) throws IOException {
    Pipe pipe = link.pipe;
    int count =
        millis == FOR_EVER
            ? pipe.receive(to, offset, room)
            : pipe.receive(to, offset, room, millis);
    if (count < 0) {
      throw new EOFException("the other node has closed the connection");
    }
    if (count > 0) {
      link.owner.counts().receivedBytes.add(count);
      usedAtNanos = System.nanoTime();
    }
    return count;
  }

  /** Gives the buffer back until something comes, if no thread waits for that. */
  synchronized void rest() {
    if (tells && reader == null) {
      frames.rest();
    }
  }

  /** Bytes of the buffer that is read into. */
  int heldBytes() {
    return frames.heldBytes();
  }

  /** Buffers that are in use. */
  int buffers() {
    return frames.chunks();
  }

  @Override
  public InLane inLane(int number) {
    return link.inLane(number);
  }

  @Override
  public void drop(Throwable because) {
    link.drop(because);
  }

  @Override
  public void control(int kind, int lane, byte[] bytes, int at, int bodyBytes) throws IOException {
    switch (kind) {
      case MessageFrame.CREDIT -> link.output.credit(MessageFrame.getLong(bytes, at));
      case MessageFrame.WINDOW -> changeWindow(MessageFrame.getLong(bytes, at));
      case MessageFrame.RENEW -> link.sender.renew(lane);
      case MessageFrame.KNOCK -> link.twin.knocked(MessageFrame.getLong(bytes, at));
      case MessageFrame.JOINED -> joined(bytes, at, bodyBytes);
      default -> link.farewell.hear();
    }
  }

  private void changeWindow(long bytes) throws StreamCorruptedException {
    if (bytes < 0) {
      window.giveBack(-bytes);
    } else {
      link.output.grant(bytes);
    }
  }

  private void joined(byte[] bytes, int at, int bodyBytes) {
    long number = MessageFrame.getLong(bytes, at);
    String way = new String(bytes, at + Long.BYTES, bodyBytes - Long.BYTES, StandardCharsets.UTF_8);
    Link other = link.twin.joined(number, way, link.owner.ownWays());
    if (other != null) {
      other.twin.prove();
    }
  }

  /** Handles what has come, or has it handled. */
  private void handle() {
    if (frames.readyCount() == 0) {
      return;
    }
    long answer = frames.oneAnswer();
    boolean answered = answer != 0;
    Thread waiting = answered && !selected ? link.owner.waitingAlone(link, answer) : null;
    boolean frees = role.isToBeFreed(waiting) && link.pipe.isTimed();
    Handlers handlers = link.owner.handlers();
    boolean slow = waiting == null && usedAtNanos - slowUntilNanos < 0;
    Incoming mine = message;
    if (slow || !handlers.beginInReader(mine)) {
      handOver(handlers);
      pace.handled(usedAtNanos, System.nanoTime(), answered);
      return;
    }
    synchronized (this) { // from the end of it on, another thread may read
      for (int i = 0; i < frames.readyCount(); i++) {
        own.addLast(frames.ready(i));
      }
      if (frees && waiting != null) {
        role.free(waiting);
      }
      handlingSinceNanos = usedAtNanos | 1;
    }
    try {
      handleOwn(handlers, mine);
    } finally {
      endHandling(answered);
      handlers.endInReader(mine);
    }
  }

  private void handOver(Handlers handlers) {
    for (int i = 0; i < frames.readyCount(); i++) {
      handlers.add(frames.ready(i));
    }
  }

  private void handleOwn(Handlers handlers, Incoming mine) {
    LinkOutput output = link.output;
    output.holdBack();
    try {
      long until = usedAtNanos + (frames.readyCount() == 1 ? BATCH_OF_ONE_LANE_NANOS : BATCH_NANOS);
      int most = 1;
      long now = usedAtNanos;
      InLane lane;
      while ((lane = nextOwn(now)) != null) {
        if (!mine.enough && now - until < 0) {
          handlers.handle(lane, mine, most, whereOwnWait);
          most = Math.min(2 * most, MAXIMUM_UNTIMED);
          now = System.nanoTime();
        } else {
          handlers.add(lane);
        }
      }
    } finally {
      output.sendHeldBack();
    }
  }

  /** The next lane that the reading thread handles itself; null if there is none. */
  private synchronized @Nullable InLane nextOwn(long now) {
    if (reader != Thread.currentThread()) {
      return null; // handlers have them
    }
    handlingSinceNanos = now | 1;
    return own.pollFirst();
  }

  /** More messages wait in a lane out of which the reading thread has just taken one. */
  private void addOwn(InLane lane) {
    synchronized (this) {
      if (reader == Thread.currentThread()) {
        own.addLast(lane);
        return;
      }
    }
    link.owner.handlers().add(lane);
  }

  /**
   * Reads for this thread, which waits for an answer, if the role is free; for a while at most.
   *
   * @param number of the request
   */
  void readFor(long number, CompletableFuture<?> request) {
    if (!role.take()) {
      return;
    }
    InLane lane = null;
    boolean alone = false;
    try {
      boolean some = true;
      frames.forgetFrames();
      while (some && !frames.hasData() && !request.isDone()) { // credits may come before
        some = read(ANSWER_MILLIS);
      }
      if (some && frames.oneAnswer() == number) {
        lane = frames.ready(0);
        alone = link.sender.requests.get() == 1;
      } else if (some) {
        handOver(link.owner.handlers());
      }
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    }
    if (alone) {
      role.free(Thread.currentThread());
    } else {
      role.giveBack(reader);
    }
    if (lane != null) {
      Handlers handlers = link.owner.handlers();
      handlers.handleOne(lane, new Incoming(), handlers::add);
    }
  }

  /** This thread waits for something, and does not read it itself. */
  void recallReader() {
    role.recall(reader);
  }

  /** If another thread reads on by now, this is its business. */
  private synchronized void endHandling(boolean answered) {
    if (reader == Thread.currentThread()) {
      handlingSinceNanos = 0;
      pace.handled(usedAtNanos, System.nanoTime(), answered);
      long slow = slowNanos;
      if (slow > SHORT_SLOW_NANOS) {
        slowNanos = Math.max(SHORT_SLOW_NANOS, slow - slow / 64);
      }
    }
  }

  /** Whether the reading thread has been handling a message for long; then nothing is read. */
  boolean isStuck(long now) {
    long since = handlingSinceNanos;
    return since != 0 && now - since > STUCK_NANOS;
  }

  /** Has another thread read on; the one that handles a message ends with it. */
  synchronized void relieve() {
    Thread busy = reader;
    if (handlingSinceNanos != 0 && busy != null) {
      boolean waits = busy.getState() != Thread.State.RUNNABLE;
      long slow = waits ? LONG_SLOW_NANOS : slowNanos;
      slowNanos = Math.min(LONG_SLOW_NANOS, 2 * slow);
      slowUntilNanos = System.nanoTime() + slow;
      handlingSinceNanos = 0;
      message.enough = true;
      message = new Incoming();
      own.forEach(link.owner.handlers()::add);
      own.clear();
      startThread();
      link.owner.selector().leave(busy);
    }
  }

  long usedAtNanos() {
    return usedAtNanos;
  }

  /** Whether all that has come is processed, and the reading thread handles nothing. */
  boolean isQuiet() {
    return isAllProcessed() && handlingSinceNanos == 0;
  }

  /** Whether all messages that have come are processed. */
  boolean isAllProcessed() {
    return window.isAllProcessed();
  }
}
