package io.karmi.messaging;

import io.karmi.messaging.frame.Chunk;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.frame.MessageParts;
import io.karmi.messaging.frame.PartRead;
import io.karmi.messaging.frame.ReadBuffer;
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
 * The receiving half of a link: reads bytes, finds the frames in them, and gives each to its lane.
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
final class LinkInput {
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

  /** Time without reads after which a link is calm, and has no chunk. */
  private static final int REST_MILLIS = 1_000;

  private final Link link;
  private final ReceiveWindow window;
  private final ReadBuffer buffer;
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

  /** Lanes that the frames that have come at a time have made ready. */
  private final InLane[] ready = new InLane[MessageFrame.MAXIMUM_LANES];

  private int readyCount;

  /** The number of data frames of one read, and the last one's request if it is an answer. */
  private int dataFrames;

  private long answer;

  /** The part of a message that is read straight to those before it. */
  private final PartRead part = new PartRead();

  /** The lane of that. */
  private @Nullable InLane partLane;

  /** Start of the successive frames of one lane that were not given to it yet. */
  private int runStart;

  private @Nullable InLane runLane;

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
    buffer = new ReadBuffer((int) window.bytes(), link.owner.arrays());
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
    if (resting && partLane == null) {
      resting = false;
      return readHeader();
    }
    boolean some = read(link.pipe.isTimed() ? REST_MILLIS : FOR_EVER);
    if (!some) {
      buffer.shrink();
      pace.setCalm();
      if (!tells) { // else the selector reads on
        buffer.rest();
        resting = true;
      }
    }
    return some;
  }

  /** Waits for the beginning of a frame, as long as it takes. */
  private boolean readHeader() throws IOException {
    forgetFrames();
    int count = receive(header, 0, header.length, FOR_EVER);
    buffer.put(header, 0, count);
    takeFrames();
    return true;
  }

  /**
   * Reads what has come, and gives it to the lanes.
   *
   * @param millis how long to wait for it, {@link #FOR_EVER} or {@link #NOW}
   * @return false if nothing has come
   */
  private boolean read(int millis) throws IOException {
    forgetFrames();
    InLane lane = partLane;
    if (lane != null) {
      int count = receive(part.bytes(), part.end(), part.room(), millis);
      if (count > 0 && part.come(count)) {
        partLane = null;
        endPart(lane);
      }
      return count > 0;
    }
    int room = buffer.makeRoom();
    int count = receive(buffer.bytes(), buffer.end(), room, millis);
    if (count > 0) {
      buffer.stored(count, room);
      takeFrames();
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

  private void takeFrames() throws IOException {
    while (buffer.length() >= MessageFrame.HEADER_BYTES) {
      int at = buffer.start();
      int body = MessageFrame.bodyBytes(buffer.bytes(), at);
      int rest = MessageFrame.rest(buffer.bytes(), at);
      int length = check(body, rest);
      if (buffer.length() < length) {
        endRun();
        if (!MessageFrame.goesOn(rest) || !beginPart(at, body, rest)) {
          buffer.makeRoomFor(length);
        }
        break;
      }
      if (MessageFrame.kind(rest) >= MessageFrame.CREDIT) {
        endRun();
        buffer.take(length);
        control(at, rest);
        continue;
      }
      InLane lane = link.inLane(MessageFrame.lane(rest));
      if (lane != runLane) {
        endRun();
        runLane = lane;
        runStart = at;
      }
      dataFrames++;
      answer = answerIn(at, body, rest);
      buffer.take(length);
    }
    endRun();
  }

  /** Gives frames that follow each other to their lane, at a time. */
  private void endRun() throws StreamCorruptedException {
    InLane lane = runLane;
    if (lane == null) {
      return;
    }
    runLane = null;
    int runEnd = buffer.start();
    window.come(runEnd - runStart);
    if (add(lane, runStart, runEnd)) {
      ready[readyCount++] = lane;
    }
  }

  /**
   * Reads the rest of a part straight to those before it, if its lane has no others that wait.
   *
   * @param at where its frame begins
   */
  private boolean beginPart(int at, int body, int rest) throws IOException {
    InLane lane = link.inLane(MessageFrame.lane(rest));
    MessageParts before = lane.beginPart();
    if (before == null) {
      return false;
    }
    try {
      part.begin(before, body);
    } catch (IOException e) {
      link.drop(e);
      throw e;
    }
    partLane = lane;
    buffer.take(MessageFrame.HEADER_BYTES);
    int begun = buffer.length();
    part.put(buffer.bytes(), buffer.start(), begun);
    buffer.take(begun);
    buffer.shrink();
    return true;
  }

  /** A part has come, and perhaps the begin of the next frame's header. */
  private void endPart(InLane lane) throws IOException {
    int behind = part.behind();
    if (behind > 0) {
      buffer.put(part.bytes(), part.end() - behind, behind);
    }
    window.come(part.frameBytes());
    dataFrames++;
    part.finish();
    lane.endPart(part.frameBytes());
    takeFrames();
  }

  private void forgetFrames() {
    readyCount = 0;
    dataFrames = 0;
  }

  /** The number of the request that a frame answers; 0 if it does not. */
  private long answerIn(int at, int body, int rest) {
    int kind = MessageFrame.kind(rest);
    return kind >= MessageFrame.ANSWER && !MessageFrame.goesOn(rest) && body >= Long.BYTES
        ? MessageFrame.getLong(buffer.bytes(), at + MessageFrame.HEADER_BYTES)
        : 0;
  }

  /** Whether all that has come is one answer, which this thread may take out of its lane. */
  private boolean isOneAnswer() {
    return dataFrames == 1 && readyCount == 1 && answer != 0;
  }

  private boolean add(InLane lane, int from, int to) {
    return buffer.isScarce()
        ? lane.add(new Chunk(buffer.bytes(), from, to - from), 0, to - from)
        : lane.add(buffer.hold(), from, to);
  }

  /** Gives the buffer back until something comes, if no thread waits for that. */
  synchronized void rest() {
    if (tells && reader == null) {
      buffer.rest();
    }
  }

  /** Bytes of the buffer that is read into. */
  int heldBytes() {
    return buffer.heldBytes();
  }

  /** Buffers that are in use. */
  int buffers() {
    return buffer.chunks();
  }

  /** The length of the frame, padding included. */
  private static int check(int body, int rest) throws StreamCorruptedException {
    if (!MessageFrame.isValid(body, rest)) {
      throw new StreamCorruptedException(
          "a frame of " + body + " bytes with lane and kind " + Integer.toHexString(rest));
    }
    return MessageFrame.lengthOf(body);
  }

  private void control(int at, int rest) throws IOException {
    switch (MessageFrame.kind(rest)) {
      case MessageFrame.CREDIT:
        link.output.credit(numberAt(at));
        break;
      case MessageFrame.WINDOW:
        changeWindow(numberAt(at));
        break;
      case MessageFrame.RENEW:
        link.sender.renew(MessageFrame.lane(rest));
        break;
      case MessageFrame.KNOCK:
        link.twin.knocked(numberAt(at));
        break;
      case MessageFrame.JOINED:
        joined(at + MessageFrame.HEADER_BYTES, MessageFrame.bodyBytes(buffer.bytes(), at));
        break;
      default:
        link.farewell.hear();
    }
  }

  private long numberAt(int at) {
    return MessageFrame.getLong(buffer.bytes(), at + MessageFrame.HEADER_BYTES);
  }

  private void changeWindow(long bytes) throws StreamCorruptedException {
    if (bytes < 0) {
      window.giveBack(-bytes);
    } else {
      link.output.grant(bytes);
    }
  }

  private void joined(int at, int body) {
    long number = MessageFrame.getLong(buffer.bytes(), at);
    String way =
        new String(buffer.bytes(), at + Long.BYTES, body - Long.BYTES, StandardCharsets.UTF_8);
    Link other = link.twin.joined(number, way, link.owner.ownWays());
    if (other != null) {
      other.twin.prove();
    }
  }

  /** Handles what has come, or has it handled. */
  private void handle() {
    if (readyCount == 0) {
      return;
    }
    boolean answered = isOneAnswer();
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
      for (int i = 0; i < readyCount; i++) {
        own.addLast(ready[i]);
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
    for (int i = 0; i < readyCount; i++) {
      handlers.add(ready[i]);
    }
  }

  private void handleOwn(Handlers handlers, Incoming mine) {
    LinkOutput output = link.output;
    output.holdBack();
    try {
      long until = usedAtNanos + (readyCount == 1 ? BATCH_OF_ONE_LANE_NANOS : BATCH_NANOS);
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
      output.letGo();
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
      forgetFrames();
      while (some && dataFrames == 0 && !request.isDone()) { // credits may come before
        some = read(ANSWER_MILLIS);
      }
      if (some && isOneAnswer() && answer == number) {
        lane = ready[0];
        alone = link.requests.get() == 1;
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
