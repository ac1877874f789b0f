package io.karmi.shm;

import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.ring.RingReader;
import io.karmi.ring.RingWriter;
import io.karmi.ring.SpinLimit;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A connection over two rings of shared memory.
 *
 * <p>Bytes are copied into the ring by the sender and out of it by the receiver; a message longer
 * than the ring goes through it in pieces. An end that finds nothing to read, or no room, spins for
 * a short time ({@link SpinLimit}), and then sleeps in the kernel until the other end rings the
 * {@link Doorbell}. It sets a flag in the ring while it sleeps; otherwise the other end makes no
 * system call.
 */
final class SharedMemoryChannel extends NodeChannel {
  /**
   * Pause between two looks for room by a thread that another one is to wake, which waits at the
   * doorbell or is busy with what it has received: an eighth of the time for which room was waited
   * so far, within these bounds in nanoseconds.
   */
  private static final long SHORTEST_PAUSE = 50_000;

  private static final long LONGEST_PAUSE = 10_000_000;

  private static final int PARTS_OF_A_WAIT = 8;

  private final SharedRings rings;
  private final RingWriter writer;
  private final RingReader reader;
  private final Doorbell doorbell;
  private final SpinLimit spinning;
  private final SpinLimit.Look bytes;
  private final SpinLimit.Look room;
  private final String peerName;

  /** The thread that waits for room while another one receives, or null. */
  private volatile @Nullable Thread roomWaiter;

  /**
   * @param socket over which they have introduced themselves; in blocking mode so far
   * @param selector to wait in
   */
  SharedMemoryChannel(
      Introduction introduction,
      SharedRings rings,
      SocketChannel socket,
      Selector selector,
      String peerName)
      throws IOException {
    super(introduction);
    this.peerName = peerName;
    this.rings = rings;
    writer = rings.writer;
    reader = rings.reader;
    bytes = () -> reader.available() > 0;
    room = writer::hasRoom;
    doorbell = new Doorbell(socket, selector, this::callerInterrupted);
    spinning = new SpinLimit(introduction.spinNanos(ShmTechnology.SPIN_NANOS));
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    boolean done = false;
    try {
      try {
        int count = receiveShared(to, offset, length);
        done = count > 0;
        return count;
      } finally {
        surfaceFaults(done);
      }
    } catch (InternalError e) {
      throw cutOff(e);
    }
  }

  @Override
  public @Nullable IOException lossBy(InternalError error) {
    String message = error.getMessage();
    return message != null && message.contains("unsafe memory access") ? cutOff(error) : null;
  }

  /**
   * The exception for a page that is gone because the file has been shortened since it was mapped.
   */
  private IOException cutOff(InternalError fault) {
    return new IOException("the memory that is shared with " + peerName + " was cut off", fault);
  }

  /**
   * Throws a fault of the memory here, in the thread that met it, and not in what it does next. A
   * thread that sends a message goes on with the program's code: so it looks each time. All that a
   * call does can tell such a fault ({@link #lossBy}): it looks if the memory seems to be cut off,
   * and allocates nothing.
   *
   * @param done whether bytes were sent or received
   */
  private void surfaceFaults(boolean done) {
    if (!done || duplex || rings.isCutOff()) {
      LateFaults.surface();
    }
  }

  private int receiveShared(byte[] to, int offset, int length) throws IOException {
    int available = reader.available();
    if (available == 0) {
      available = awaitBytes();
      if (available == 0) {
        return -1;
      }
    }
    int count = reader.read(to, offset, length);
    if (available >= rings.capacity / 2) {
      wakeSender(); // who may have met a full ring; if not now, then before this end sleeps
    }
    return count;
  }

  private void wakeSender() throws IOException {
    if (reader.mustWakeProducer()) {
      doorbell.ring();
    }
  }

  /** Waits until there is something to read; 0 at the end. */
  private int awaitBytes() throws IOException {
    wakeSender();
    if (spinning.spin(bytes, Long.MAX_VALUE)) {
      return reader.available();
    }
    long end = timeoutMillis == 0 ? 0 : System.nanoTime() + timeoutMillis * 1_000_000L;
    reader.fallAsleep();
    try {
      int available = reader.available();
      boolean there = true;
      while (available == 0 && there) {
        there = doorbell.await(timeoutMillis == 0 ? 0 : millisUntil(end));
        LockSupport.unpark(roomWaiter); // the ring may have been for it
        available = reader.available(); // what was sent before the end is still read
        if (available == 0 && there) {
          reader.fallAsleep(); // who rang has taken the flag
          available = reader.available();
        }
      }
      return available;
    } finally {
      reader.awake();
    }
  }

  private static long millisUntil(long end) throws SocketTimeoutException {
    long left = end - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("Read timed out");
    }
    return (left + 999_999) / 1_000_000;
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    boolean done = false;
    try {
      try {
        doorbell.checkOpen(); // the memory itself would still take bytes
        sendShared(from, offset, length);
        done = true;
      } finally {
        surfaceFaults(done);
      }
    } catch (InternalError e) {
      throw cutOff(e);
    }
  }

  private void sendShared(byte[] from, int offset, int length) throws IOException {
    int done = writer.write(from, offset, length);
    while (done < length) {
      wakeReceiver();
      awaitRoom(length - done);
      done += writer.write(from, offset + done, length - done);
    }
    wakeReceiverIfThere();
  }

  @Override
  public boolean endInput() throws IOException {
    doorbell.endInput();
    return true;
  }

  @Override
  public boolean isMemory() {
    return true;
  }

  @Override
  public boolean offer(byte[] from, int offset, int length) throws IOException {
    boolean done = false;
    try {
      try {
        doorbell.checkOpen();
        done = writer.hasRoom(length);
        if (done) {
          writer.write(from, offset, length);
          doorbell.ring(); // in any case: the memory does not tell whether the other end is there
        }
        return done;
      } finally {
        surfaceFaults(done);
      }
    } catch (InternalError e) {
      throw cutOff(e);
    }
  }

  private void wakeReceiverIfThere() {
    try {
      wakeReceiver();
    } catch (IOException e) {
      /* The receiver may have seen the bytes before its end was closed: that is for it to say. */
      ShmTechnology.LOG.log(System.Logger.Level.DEBUG, "the other process cannot be woken", e);
    }
  }

  private void wakeReceiver() throws IOException {
    if (writer.mustWakeConsumer()) {
      doorbell.ring();
    }
  }

  private void awaitRoom(int wanted) throws IOException {
    if (duplex) {
      awaitRoomBesideReceiver(Math.min(wanted, rings.capacity / 2));
      return;
    }
    if (spinning.spin(room, Long.MAX_VALUE)) {
      return;
    }
    writer.fallAsleep();
    try {
      while (!writer.hasRoom()) {
        if (!doorbell.await(0)) {
          throw new EOFException("the other process has ended or closed the connection");
        }
        writer.fallAsleep();
      }
    } finally {
      writer.awake();
    }
  }

  /**
   * Waits for room while another thread receives: the doorbell and the spinning are that thread's,
   * which also notices the end. It passes on what the doorbell says, unless it is busy.
   *
   * @param wanted bytes of room that are waited for: less is not worth waking this thread
   */
  private void awaitRoomBesideReceiver(int wanted) throws IOException {
    boolean interrupted = false;
    long begin = System.nanoTime();
    roomWaiter = Thread.currentThread();
    try {
      writer.fallAsleep();
      while (!writer.hasRoom(wanted)) {
        if (doorbell.isOver()) {
          throw new EOFException("the other process has ended or closed the connection");
        }
        long pause = (System.nanoTime() - begin) / PARTS_OF_A_WAIT;
        LockSupport.parkNanos(this, Math.max(SHORTEST_PAUSE, Math.min(pause, LONGEST_PAUSE)));
        interrupted |= Thread.interrupted();
        writer.fallAsleep(); // who rang has taken the flag
      }
    } finally {
      writer.awake();
      roomWaiter = null;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A process that has ended reads no memory; its end of the socket says so. */
  @Override
  public void sendAfterPause(byte[] from, int offset, int length, int headBytes)
      throws IOException {
    if (!doorbell.isPeerThere()) {
      throw new EOFException("the other process has ended or closed the connection");
    }
    send(from, offset, length);
  }

  @Override
  public String peerName() {
    return peerName;
  }

  @Override
  protected void closeChannel() throws IOException {
    try {
      LateFaults.surface();
    } catch (InternalError e) {
      if (lossBy(e) == null) {
        throw e;
      }
    }
    doorbell.close();
    LockSupport.unpark(roomWaiter);
  }
}
