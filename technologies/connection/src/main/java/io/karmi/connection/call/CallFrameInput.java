package io.karmi.connection.call;

import io.karmi.connection.channel.OrderedByteChannel;
import io.karmi.connection.guard.Reading;
import io.karmi.guard.HostRates;
import io.karmi.guard.Ledger;
import io.karmi.guard.MessageMemory;
import io.karmi.guard.PeerBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Buffer from which a message is unmarshalled. One read of the channel usually brings header and
 * body.
 *
 * <p>{@code bytes[position .. limit)} is what has come of the message and has not been read; {@code
 * bytes[raw .. end)} has come after that, and begins with the header of a frame. Between the two
 * lie the headers of frames whose bodies were joined. The buffer grows only for a value that does
 * not fit, by doubling, and no faster than bytes arrive; so a false length costs its sender as much
 * as its receiver, and many short frames cost no more than a long one. A message that becomes too
 * long ends the connection, and so does an empty frame inside of one, which no node sends. If the
 * {@link Ledger} has no memory left for a message, its rest is skipped.
 */
public final class CallFrameInput extends PeerBuffer implements Reading {
  private static final int INITIAL_BYTES = 32 * 1024;
  private static final int MAXIMUM_BYTES = Integer.MAX_VALUE - 8;
  private static final AtomicIntegerFieldUpdater<CallFrameInput> PROGRESS =
      AtomicIntegerFieldUpdater.newUpdater(CallFrameInput.class, "progress");

  private final FrameOwner owner;
  private final OrderedByteChannel channel;

  /** Where the bytes of later frames begin; {@link #end} if none have come. */
  private int raw;

  private int end;

  /** Number of bytes of the current frame's body that have not come. */
  private int missing;

  private boolean more;

  /** Whether the other end can send signs of life. */
  private boolean signs;

  /** Whether it executes a call of this end, and so may send them. */
  private boolean waits;

  /** Whether the other end may tell once that its node ends. */
  private boolean farewell;

  /** Whether the other end may tell that the connection gives way. */
  private boolean mayGiveWay;

  /** Whether it has. */
  private boolean givenWay;

  private final long maximumMessageBytes;
  private long messageBytes;

  /** The same for the current message. */
  private long mostBytes;

  private final Ledger.Account account;

  /** Memory of a message until it has been read. */
  private final MessageMemory memory;

  /** Bytes that the account holds for objects that have been read and are in use. */
  private long keptBytes;

  /** Why the current message is not read any further, or null. */
  private @Nullable IOException refusal;

  /** Length of the value that is being fetched, in bytes. */
  private int wanted;

  /**
   * Counter that is odd from the beginning of a message on, and even while the next one is awaited;
   * for the watchdog.
   */
  private int phase;

  /** Number of bytes that have come; for the watchdog. */
  private long received;

  /** Limit of the rate at which bytes are read; null for none. */
  private HostRates.@Nullable HostRate rate;

  private BooleanSupplier over = () -> true;

  /** Whether a message was longer than it may be. */
  private boolean tooLong;

  /**
   * Counter that is odd while the channel is being read; each read adds two. For the watchdog,
   * which only reads it: afterwards it sees {@link #phase} and {@link #received} as they were then,
   * or later.
   */
  private volatile int progress;

  CallFrameInput(FrameOwner owner, long maximumMessageBytes, Ledger.Account account) {
    super(new byte[INITIAL_BYTES], 0, 0);
    this.owner = owner;
    this.channel = owner.channel();
    this.maximumMessageBytes = maximumMessageBytes;
    this.account = account;
    memory = new MessageMemory(account, channel::peerName);
  }

  @Override
  public int progress() {
    return progress;
  }

  @Override
  public int phase() {
    return phase;
  }

  @Override
  public int position() {
    return position;
  }

  /**
   * Whether the next message is awaited, of which nothing has come; may be called by any thread.
   */
  boolean isBetweenMessages() {
    return (progress & 1) == 1 && (phase & 1) == 0;
  }

  @Override
  public long receivedBytes() {
    return received;
  }

  @Override
  public long passedBytes() {
    return received;
  }

  /** Allows signs of life between frames; they are skipped. */
  void expectSigns() {
    signs = true;
  }

  /** Allows the other end to tell between frames that its node ends; the channel is told. */
  void expectFarewell() {
    farewell = true;
  }

  /** Allows the other end to tell between messages that the connection gives way. */
  void expectGivingWay() {
    mayGiveWay = true;
  }

  /** Whether the other end has told that it executed no call since its last reply, nor will. */
  boolean hasGivenWay() {
    return givenWay;
  }

  /**
   * From now on bytes are read no faster than a host may send them.
   *
   * @param closed whether the connection is closed
   */
  public void limit(HostRates.HostRate hostRate, BooleanSupplier closed) {
    over = closed;
    rate = hostRate;
  }

  /** Whether {@link #limit} was called. */
  public boolean isLimited() {
    return rate != null;
  }

  /** Whether the connection was lost because a message was longer than it may be. */
  public boolean isTooLong() {
    return tooLong;
  }

  /**
   * Waits for the next message.
   *
   * @return kind and flags of its first frame, or -1 if the peer has closed the connection between
   *     two messages, or has told that it does
   */
  int awaitMessage() throws ConnectionLostException {
    return await(false);
  }

  /** The same, while the other end executes a call of this end: a reply is next, or a call back. */
  int awaitReply() throws ConnectionLostException {
    return await(true);
  }

  private int await(boolean reply) throws ConnectionLostException {
    try {
      skipMessage();
      waits = reply && signs;
      int header;
      do {
        phase = (phase | 1) + 1;
        if (position == end) {
          clear();
          if (!receive()) {
            return -1;
          }
        }
        phase++;
        messageBytes = 0;
        mostBytes = Long.MAX_VALUE;
        header = readHeader();
      } while (isShort(header));
      if (header == FrameHeader.GIVES_WAY) {
        givenWay = true;
        return -1;
      }
      memory.begin();
      return header;
    } catch (ConnectionLostException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectionLostException(e);
    }
  }

  /** Whether a frame belongs to no message. */
  private boolean isShort(int header) {
    if (header == FrameHeader.GO_AWAY) {
      hearFarewell();
      return true;
    }
    return header == FrameHeader.ALIVE;
  }

  private void hearFarewell() {
    farewell = false;
    owner.peerEnds();
  }

  private void clear() {
    if (bytes.length > INITIAL_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
    empty();
  }

  private void empty() {
    position = 0;
    limit = 0;
    raw = 0;
    end = 0;
  }

  /**
   * Reads the header of the next frame, and puts the bytes of its body that have come behind those
   * that are left.
   */
  private int readHeader() throws IOException {
    if (position == limit && raw == end) {
      empty();
    }
    while (end - raw < FrameHeader.HEADER_BYTES) {
      if (end == bytes.length) {
        compact();
      }
      if (!receive()) {
        throw new EOFException("connection closed inside the header of a frame");
      }
    }
    int header = bytes[raw] & 0xFF;
    if (!FrameHeader.isKnown(header) && !isExpected(header)) {
      throw new StreamCorruptedException(
          "a frame begins with " + Integer.toHexString(header) + ": this is no KaRMI peer");
    }
    int body = FrameHeader.bodyBytes(bytes, raw);
    if (header > FrameHeader.ACK && body > 0 && isExpected(header)) {
      String what =
          switch (header) {
            case FrameHeader.ALIVE -> "sign of life";
            case FrameHeader.GO_AWAY -> "farewell";
            default -> "frame of kind " + header;
          };
      lose("a " + what + " with a body of " + body + " bytes");
    }
    more = (header & FrameHeader.MORE) != 0;
    check(body);
    raw += FrameHeader.HEADER_BYTES;
    int here = Math.min(body, end - raw);
    if (position == limit) {
      position = raw;
      limit = raw;
    } else {
      System.arraycopy(bytes, raw, bytes, limit, here);
    }
    limit += here;
    raw += here;
    missing = body - here;
    if (raw == end) {
      raw = limit; // the gap is behind everything
      end = limit;
    }
    return header;
  }

  /** Whether a frame is one that the other end sends between those of its messages. */
  private boolean isExpected(int header) {
    return header == FrameHeader.ALIVE && waits
        || header == FrameHeader.GO_AWAY && farewell
        || header == FrameHeader.GIVES_WAY && mayGiveWay && !more;
  }

  /**
   * Refuses frames that no node writes: of a message that is too long, or empty ones inside a
   * message.
   */
  private void check(int body) throws ConnectionLostException {
    if (more && body == 0) {
      lose("an empty frame inside a message");
    }
    messageBytes += body;
    if (messageBytes > maximumMessageBytes) {
      tooLong = true;
      lose("a message of more than " + maximumMessageBytes + " bytes (karmi.maxMessageBytes)");
    }
  }

  private void lose(String reason) throws ConnectionLostException {
    owner.close();
    throw new ConnectionLostException(new StreamCorruptedException(reason));
  }

  /** Reads once from the channel behind {@link #end}. */
  private boolean receive() throws IOException {
    PROGRESS.lazySet(this, progress + 1);
    int count = channel.receive(bytes, end, bytes.length - end);
    if (count > 0) {
      received += count;
    }
    PROGRESS.lazySet(this, progress + 1);
    if (count < 0) {
      return false;
    }
    end += count;
    HostRates.HostRate limit = rate;
    if (limit != null) {
      limit.take(count, over); // nothing is being read meanwhile: the other end is not to blame
    }
    return true;
  }

  @Override
  protected boolean mayOverwrite() {
    return true;
  }

  @Override
  protected void makeRoomBefore(int lengthBytes) {
    int unread = end - position;
    int room = roomBefore(lengthBytes, unread);
    byte[] to = bytes.length - room < unread ? new byte[room + unread] : bytes;
    System.arraycopy(bytes, position, to, room, unread);
    limit += room - position;
    raw += room - position;
    end = room + unread;
    position = room;
    bytes = to;
  }

  @Override
  protected void fill(int lengthBytes) throws IOException {
    try {
      wanted = lengthBytes;
      while (limit - position < lengthBytes) {
        if (missing > 0) {
          widen();
          fetchBody();
        } else if (more) {
          grow(0);
          nextFrame();
        } else {
          super.fill(lengthBytes);
        }
      }
    } catch (ConnectionLostException e) {
      drop();
      throw e;
    } catch (IOException e) {
      if ((missing > 0 || more) && e != refusal) {
        drop();
        throw new ConnectionLostException(e);
      }
      throw e;
    }
  }

  /**
   * Limits the current message, of which little has been read: if it is longer no more of it is
   * read. The limit of the connection holds too.
   */
  void limitMessage(long bytes) {
    mostBytes = bytes;
  }

  /** Counts the memory of the message. */
  @Override
  public void grow(long nextBytes) throws IOException {
    IOException before = refusal;
    if (before != null) {
      throw before; // who reads may have caught it
    }
    if (messageBytes > mostBytes) {
      throw refused(
          new IOException(
              "a message of "
                  + messageBytes
                  + " bytes for an object that takes "
                  + mostBytes
                  + " at most"));
    }
    if (memory.isBegun()) {
      try {
        memory.grow(messageBytes - missing, nextBytes);
      } catch (IOException e) {
        throw refused(e);
      }
    }
  }

  @Override
  protected Object host() {
    return channel.peerName();
  }

  private IOException refused(IOException why) {
    refusal = why;
    drop();
    return why;
  }

  /**
   * Keeps no more of the message, which is read no further. Fails not even while memory is short.
   */
  private void drop() {
    position = limit;
    try {
      shrink();
    } catch (OutOfMemoryError e) {
      /* The array stays until the next message: who gives this one up has to go on. */
    }
    memory.end();
  }

  /**
   * Called when all objects of the message have been read. They are in use until {@link #letGo},
   * and count, unless the account forgoes that.
   */
  void endReading() {
    if (memory.isBegun()) {
      keptBytes += memory.handOver();
    }
  }

  /**
   * A part of the reply is about to leave, and more of it follows, which may refer to the objects
   * of the request: they count again though the account may have forgone it.
   */
  void keep() {
    long missing = keptBytes == 0 ? 0 : keptBytes - account.held();
    if (missing > 0) {
      account.keep(missing);
    }
  }

  /** The objects of the message are not in use any more. */
  void letGo() {
    if (keptBytes > 0) {
      account.hold(-keptBytes);
      keptBytes = 0;
    }
  }

  /** Gives up the message: it is not read any further, and its memory not counted any more. */
  void giveUpMessage() {
    drop();
  }

  /** Drops a large array of which little is in use. */
  private void shrink() {
    int here = limit - position;
    int behind = end - raw;
    if (bytes.length > INITIAL_BYTES && here + behind <= bytes.length / 2) {
      moveTo(new byte[Math.max(INITIAL_BYTES, here + behind)]);
    }
  }

  /** Counts the memory of the message, with a larger array for the rest of a long frame. */
  private void widen() throws IOException {
    boolean larger =
        position == limit && missing > bytes.length && bytes.length < FrameHeader.PART_BYTES;
    grow(larger ? FrameHeader.PART_BYTES : 0);
    if (larger) {
      empty();
      bytes = new byte[FrameHeader.PART_BYTES];
    }
  }

  /** Reads more of the current frame's body, behind which nothing has come. */
  private void fetchBody() throws IOException {
    if (position == limit) {
      empty();
    } else if (end == bytes.length) {
      compact();
    }
    if (!receive()) {
      throw new EOFException("connection closed inside a frame; " + missing + " bytes are missing");
    }
    int here = Math.min(missing, end - limit);
    limit += here;
    raw = limit;
    missing -= here;
  }

  /** Goes on to the next frame of the message. */
  private void nextFrame() throws IOException {
    int header;
    do {
      more = true; // as long as the frame that goes on has not begun
      header = readHeader();
    } while (isShort(header));
    if ((header & FrameHeader.RENEW) != 0) {
      throw new StreamCorruptedException("a frame inside a message asks for a renewal");
    }
  }

  /**
   * Makes room at the end: moves what is there to the front, in a larger array if that would not
   * leave half of it free. It is larger by a quarter at least, so that each byte is moved a bounded
   * number of times, and by no more than the value needs and the bytes behind it.
   */
  private void compact() throws IOException {
    if (limit - position + end - raw > bytes.length / 2) {
      long length = bytes.length;
      long enough = Math.min(2 * length, (long) wanted + FrameHeader.PART_BYTES);
      long larger = Math.min(Math.max(length + length / 4, enough), MAXIMUM_BYTES);
      grow(larger); // both are in use for a moment
      moveTo(new byte[(int) larger]);
      memory.drop(length);
    } else {
      moveTo(bytes);
    }
  }

  private void moveTo(byte[] target) {
    int here = limit - position;
    int behind = end - raw;
    System.arraycopy(bytes, position, target, 0, here);
    System.arraycopy(bytes, raw, target, here, behind);
    bytes = target;
    position = 0;
    limit = here;
    raw = here;
    end = here + behind;
  }

  /** Drops what is left of the current message, reading it from the channel if need be. */
  void skipMessage() throws IOException {
    position = limit;
    refusal = null;
    wanted = 0;
    while (missing > 0 || more) {
      if (missing > 0) {
        fetchBody();
      } else {
        nextFrame();
      }
      position = limit;
    }
    memory.end();
    position = raw;
    limit = raw;
  }

  /** True if the message has been read to its last byte. */
  boolean isAtEnd() {
    return position == limit && missing == 0 && !more;
  }

  /**
   * True if nothing comes until the channel's timeout passes: an idle peer that is alive sends
   * nothing, except that its node ends.
   *
   * @throws IOException if the connection has failed
   */
  boolean isSilent() throws IOException {
    try {
      skipMessage();
      clear();
      receive();
      if (end - raw >= FrameHeader.HEADER_BYTES
          && (bytes[raw] & 0xFF) == FrameHeader.GO_AWAY
          && farewell) {
        hearFarewell();
      }
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    }
  }
}
