package io.karmi.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;

/**
 * Worker of UCX, with its endpoint to the worker of one other process.
 *
 * <p>A worker of its own for each connection lets the thread that waits do the work of the network,
 * and nothing of one connection can be mistaken for another's. Messages without this end's token
 * are from strangers, and dropped unread. Belongs to the thread that has the lock of the
 * connection; {@link #awaitEvents} and {@link #wake} need no lock, but the worker must not have
 * been closed.
 */
final class UcxLink {
  /** Flag for UCX: a message is handed over as a whole. */
  private static final long WHOLE = UcpConstants.UCP_AM_FLAG_WHOLE_MSG;

  private static final int DONE = 0;

  /** Number of open links of this process, for tests. */
  private static final AtomicLong OPEN = new AtomicLong();

  private final Fabric fabric;
  private final UcpWorker worker;

  /** The token that messages of the other end have to show. */
  final long token;

  private final Inbox inbox;
  private @Nullable Outbox outbox;

  /** Number of data messages that have come. */
  private long received;

  private boolean greeted;
  private boolean closed;

  /** Number of messages that had been sent when something came last. */
  private long sentWhenHeard;

  /** Failure that UCX reports; null for none. */
  private @Nullable String failure;

  /**
   * Makes a link that leads nowhere yet.
   *
   * @param token that messages of the other end have to show
   */
  UcxLink(Fabric fabric, long token) throws IOException {
    this.token = token;
    this.fabric = fabric.retain();
    inbox = new Inbox(fabric);
    boolean made = false;
    try {
      worker = fabric.newWorker();
      made = true;
    } catch (RuntimeException e) {
      throw new IOException("UCX makes no worker: " + e.getMessage(), e);
    } finally {
      if (!made) {
        fabric.release();
      }
    }
    OPEN.getAndIncrement();
    worker.setAmRecvHandler(Outbox.BYTES, (h, n, data, from) -> bytesArrived(data), WHOLE);
    worker.setAmRecvHandler(Outbox.PIECE, (h, n, data, from) -> pieceArrived(h, n, data), WHOLE);
    worker.setAmRecvHandler(Outbox.ALLOWANCE, (h, n, data, from) -> allowanceArrived(data), WHOLE);
  }

  static long openLinks() {
    return OPEN.get();
  }

  /** The address by which other processes find the worker. */
  byte[] address() {
    ByteBuffer address = worker.getAddress();
    byte[] bytes = new byte[address.remaining()];
    address.get(bytes);
    return bytes;
  }

  /**
   * Connects it to a worker, and sends a greeting.
   *
   * @param peerToken that the other end wants to see
   * @throws IOException if no network of both reaches it
   */
  void connect(byte[] peerAddress, long peerToken) throws IOException {
    ByteBuffer direct = ByteBuffer.allocateDirect(peerAddress.length).put(peerAddress).flip();
    try {
      UcpEndpoint endpoint =
          worker.newEndpoint(
              new UcpEndpointParams()
                  .setUcpAddress(direct)
                  .setErrorHandler((failed, status, text) -> failure = text));
      Outbox made = new Outbox(fabric, endpoint, peerToken);
      outbox = made;
      made.tellAllowance(0, 0);
    } catch (RuntimeException e) {
      throw new IOException("no network of UCX reaches the other end: " + e.getMessage(), e);
    }
  }

  private Outbox outbox() {
    Outbox known = outbox;
    if (known == null) {
      throw new IllegalStateException("not connected");
    }
    return known;
  }

  /** Whether a message with the token has come. */
  boolean isGreeted() {
    return greeted;
  }

  @Nullable String violation() {
    return inbox.violation();
  }

  /** Whether neither the other end nor UCX has failed so far. */
  boolean isSound() {
    return failure == null && inbox.violation() == null;
  }

  /** UCX's report of an end that it does not reach any more; null for none. */
  @Nullable String failure() {
    return failure;
  }

  long received() {
    return received;
  }

  long sent() {
    return outbox().sent();
  }

  /** Whether nothing has come since the last message was sent: it may be on its way. */
  boolean isUnanswered() {
    return sent() != sentWhenHeard;
  }

  private int bytesArrived(UcpAmData data) {
    if (!data.isDataValid() || data.getLength() <= Outbox.HEAD_BYTES) {
      return DONE;
    }
    ByteBuffer message = Inbox.view(data.getDataAddress(), data.getLength());
    if (isNext(message)) {
      inbox.arrived(message);
    }
    return DONE;
  }

  private int pieceArrived(long header, long headerBytes, UcpAmData data) {
    if (data.isDataValid() || headerBytes != Outbox.HEAD_BYTES) {
      return DONE;
    }
    if (isNext(Inbox.view(header, headerBytes))) {
      inbox.announced(data);
    }
    return DONE;
  }

  /** Whether a message is the other end's, and the next one in order. */
  private boolean isNext(ByteBuffer head) {
    if (head.getLong() != token) {
      return false;
    }
    long number = head.getLong();
    if (number != received) {
      inbox.violated("message " + number + " came where " + received + " was due");
      return false;
    }
    received++;
    sentWhenHeard = sent();
    return true;
  }

  private int allowanceArrived(UcpAmData data) {
    if (data.isDataValid() && data.getLength() == Outbox.ALLOWANCE_BYTES) {
      ByteBuffer message = Inbox.view(data.getDataAddress(), data.getLength());
      if (message.getLong() == token) {
        greeted = true;
        int bytes = message.getInt();
        int pieces = message.getInt();
        Outbox known = outbox;
        boolean welcome = known == null ? bytes == 0 && pieces == 0 : known.allow(bytes, pieces);
        if (!welcome) {
          inbox.violated(bytes + " bytes and " + pieces + " pieces were allowed that are too many");
        }
      }
    }
    return DONE;
  }

  /** Does some of the network's work; false if there was none. */
  boolean progress() throws IOException {
    try {
      return worker.progress() != 0;
    } catch (Exception e) {
      throw new IOException("UCX has failed: " + e.getMessage(), e);
    }
  }

  /** Reads the bytes that have come; 0 if there are none. */
  int read(byte[] to, int offset, int length) {
    return inbox.read(to, offset, length);
  }

  /** Tells the other end that it may send more, if that is due. */
  void allowMore() throws IOException {
    if (inbox.isAllowanceDue() && outbox().canTellAllowance()) {
      try {
        outbox().tellAllowance(inbox.takeBytesToAllow(), inbox.takePiecesToAllow());
      } catch (RuntimeException e) {
        throw new IOException("UCX does not send: " + e.getMessage(), e);
      }
    }
  }

  /** Hands over some bytes; 0 if there is no room now. */
  int send(byte[] from, int offset, int length) throws IOException {
    try {
      return outbox().send(from, offset, length);
    } catch (RuntimeException e) {
      throw new IOException("UCX does not send: " + e.getMessage(), e);
    }
  }

  boolean hasRoom(int length) {
    return outbox().hasRoom(length);
  }

  /** Whether all that was handed over has left. */
  boolean isSent() {
    return outbox().isEmpty();
  }

  /** Sends what UCX still holds; gives up after this time. */
  void flush(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    try {
      UcpRequest flushed = worker.flushNonBlocking(null);
      while (!flushed.isCompleted() && System.nanoTime() - end < 0) {
        progress();
      }
    } catch (RuntimeException e) {
      throw new IOException("UCX does not send: " + e.getMessage(), e);
    }
  }

  /** Waits in the kernel until there may be work, or {@link #wake} is called. */
  void awaitEvents() {
    worker.waitForEvents();
  }

  /** Ends {@link #awaitEvents}, also the next one. */
  void wake() {
    worker.signal();
  }

  /** Ends it, with all that is under way. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    inbox.close();
    try {
      worker.removeAmRecvHandler(Outbox.BYTES);
      worker.removeAmRecvHandler(Outbox.PIECE);
      worker.removeAmRecvHandler(Outbox.ALLOWANCE);
      worker.close();
    } finally {
      inbox.release();
      Outbox known = outbox;
      if (known != null) {
        known.release();
      }
      OPEN.getAndDecrement();
      fabric.release();
    }
  }
}
