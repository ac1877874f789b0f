package io.karmi.exchange;

import io.karmi.events.Recorder;
import io.karmi.exchange.HostDirectory.Opened;
import io.karmi.exchange.directory.Attempts;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.pull.FetchGroup;
import io.karmi.exchange.pull.Pull;
import io.karmi.exchange.record.GroupHeader;
import io.karmi.exchange.record.GroupInput;
import io.karmi.exchange.record.PiecesInMemory;
import io.karmi.exchange.record.RecordCheck;
import io.karmi.guard.Ledger;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.rmi.AccessException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches groups from other hosts, one fetch of a group on this host at a time, and gives them to
 * others. Thread-safe.
 *
 * <p>Pieces are appended in order to a file that others of this host go on with if this process is
 * killed. What has come is a claim until its check sum has been compared; then the file gets its
 * name.
 */
final class Fetcher {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  private static final long FIRST_PAUSE_MILLIS = 1;
  private static final long LONGEST_PAUSE_MILLIS = 50;
  private static final int MAXIMUM_GIVERS = 1_000;
  private static final String ABSENT = "it is not on this host";

  private final HostDirectory files;
  private final Directory directory;
  private final Messaging messaging;
  private final Consumer<GroupAddress> whenFetched;

  /**
   * Who has given the last group of a member: it is asked for the next one without the directory.
   */
  private final Map<Integer, Address> givers = new ConcurrentHashMap<>();

  /** What has come last in one piece, so that who has waited for it need not open its file. */
  private volatile @Nullable Arrived last;

  private final AtomicLong fetchedBytes = new AtomicLong();
  private final AtomicLong servedBytes = new AtomicLong();
  private final AtomicLong fetches = new AtomicLong();

  /**
   * Fetches to a host's directory.
   *
   * @param whenFetched told of each group whose file this process has fetched
   */
  Fetcher(
      HostDirectory files,
      Directory directory,
      Messaging messaging,
      Consumer<GroupAddress> whenFetched) {
    this.files = files;
    this.directory = directory;
    this.messaging = messaging;
    this.whenFetched = whenFetched;
  }

  Map<String, Long> counters() {
    return Map.of(
        "groupsFetched", fetches.get(),
        "bytesFetched", fetchedBytes.get(),
        "bytesServed", servedBytes.get());
  }

  /** The disk has no room: the group is read through without being kept. */
  private static class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;

    NoRoomException(String message, @Nullable IOException cause) {
      super(message, cause);
    }
  }

  /**
   * Less than an eighth of what is free would be left by what a host says, or memory has no room.
   */
  private static final class TooLongException extends NoRoomException {
    private static final long serialVersionUID = 1;

    TooLongException(String message, @Nullable IOException cause) {
      super(message, cause);
    }
  }

  /**
   * A group that was fetched.
   *
   * @param record all of it, if it has come in one piece
   */
  private record Arrived(
      GroupAddress group, GroupAddress[] refersTo, @Nullable ByteBuffer record) {}

  /** Forgets what has come of a group: its objects were made, or no one holds it. */
  void forget(GroupAddress group) {
    Arrived known = last;
    if (known != null && known.group().equals(group)) {
      last = null;
    }
  }

  private @Nullable GroupInput arrived(GroupAddress group) throws IOException {
    Arrived known = last;
    ByteBuffer bytes = known == null || !known.group().equals(group) ? null : known.record();
    if (bytes == null) {
      return null;
    }
    return new GroupInput(
        Channels.newChannel(
            new ByteArrayInputStream(bytes.array(), bytes.position(), bytes.remaining())),
        bytes.remaining(),
        space(),
        group);
  }

  /**
   * Opens a group, which is fetched if it is not on this host.
   *
   * @param holders who has it; null if the directory is to be asked
   * @param came told the groups that it refers to, if it was fetched
   */
  GroupInput open(GroupAddress group, Address @Nullable [] holders, Consumer<GroupAddress[]> came)
      throws IOException {
    GroupInput arrived = arrived(group);
    if (arrived != null) {
      return arrived;
    }
    Opened found = files.find(group);
    try {
      if (found == null && fetchOrAwait(group, holders, came)) {
        arrived = arrived(group);
        found = arrived == null ? files.findFetched(group) : null;
      }
    } catch (NoRoomException e) {
      LOG.log(System.Logger.Level.INFO, "no room for group " + group + " in " + files, e);
    }
    if (arrived != null) {
      return arrived;
    }
    if (found == null) {
      return fetchThrough(group);
    }
    try {
      return opened(found, group);
    } catch (IOException e) {
      found.channel().close();
      throw new IOException(found.path() + " is not read: " + e.getMessage(), e);
    }
  }

  private GroupInput opened(Opened file, GroupAddress group) throws IOException {
    GroupInput in = new GroupInput(file.channel(), file.mostBytes(), space(), group);
    long behind = file.mostBytes() - in.header().recordBytes();
    if (behind > 0 && !file.isPack()) {
      in.close();
      throw new StreamCorruptedException("it has " + behind + " bytes behind its end");
    }
    return in;
  }

  private long space() {
    return directory.joined().space();
  }

  /** Whether it is on this host now: not if who fetches it does not go on. */
  private boolean fetchOrAwait(
      GroupAddress group, Address @Nullable [] holders, Consumer<GroupAddress[]> came)
      throws IOException {
    Path growing = files.fetching(group);
    long pause = FIRST_PAUSE_MILLIS;
    long size = 0;
    long end = nanosOfLimit();
    while (end - System.nanoTime() > 0) {
      if (tryFetch(group, holders, came)) {
        return true;
      }
      pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      long sizeNow = growing.toFile().length();
      if (sizeNow != size) {
        size = sizeNow;
        end = nanosOfLimit();
      }
    }
    return false;
  }

  private static long nanosOfLimit() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Attempts.limitMillis());
  }

  /** Whether it is on this host now: not if another process or thread fetches it. */
  private boolean tryFetch(
      GroupAddress group, Address @Nullable [] holders, Consumer<GroupAddress[]> came)
      throws IOException {
    FileLock lock = files.tryFetch(group);
    Arrived arrived;
    try {
      boolean isThere = files.hasFetched(group); // there was nothing else before
      if (isThere || lock == null) {
        return isThere;
      }
      Steps.reached("begin");
      arrived = fetch(group, holders);
      Steps.reached("end");
    } finally {
      if (lock != null) {
        lock.release();
      }
    }
    whenFetched.accept(group);
    came.accept(arrived.refersTo()); // without the lock: those are fetched, too
    last = arrived.record() == null ? last : arrived;
    return true;
  }

  private static void pause(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another process fetches the group");
    }
  }

  /** Fetches a group from those who hold it. */
  private Arrived fetch(GroupAddress group, Address @Nullable [] holders) throws IOException {
    Path file = files.fetching(group);
    Address likely = givers.get(group.member());
    TooLongException tooLong = null;
    try (Pull pull = new Pull(group, holders, likely, directory, messaging)) {
      while (true) {
        try {
          Arrived arrived = pullTo(file, pull, group);
          remember(group.member(), pull.giver());
          return arrived;
        } catch (StreamCorruptedException | EOFException e) {
          pull.isWrong(e);
        } catch (TooLongException e) {
          tooLong = e;
          pull.isTooLong(e);
        }
        Files.deleteIfExists(file);
      }
    } catch (NoRoomException | GroupLostException e) {
      Files.deleteIfExists(file);
      throw tooLong == null ? e : tooLong;
    }
  }

  private void remember(int member, @Nullable Address giver) {
    if (givers.size() >= MAXIMUM_GIVERS) {
      givers.clear();
    }
    if (giver != null) {
      givers.put(member, giver);
    }
  }

  /** Goes on behind what a process that was killed has fetched. */
  private Arrived pullTo(Path file, Pull pull, GroupAddress group) throws IOException {
    RecordCheck check = new RecordCheck(space(), group);
    RecordCheck.Whole whole;
    ByteBuffer only;
    try (Growing to = new Growing(file)) {
      pull.all(to.goOn(check), (piece, left) -> to.append(check, piece, left));
      whole = check.finish();
      only = to.only;
    }
    Steps.reached("whole");
    HostDirectory.publish(file, files.fetched(group));
    fetches.incrementAndGet();
    Recorder.instance().group(group.toString(), "fetched", whole.header().length());
    return new Arrived(group, whole.refersTo(), only);
  }

  /** The file of a group that is being fetched; it is made for the first piece. */
  private final class Growing implements AutoCloseable {
    private final Path file;
    private @Nullable FileChannel channel;

    /** The piece that was all. */
    private @Nullable ByteBuffer only;

    private boolean isFirst = true;

    Growing(Path file) {
      this.file = file;
    }

    /** Checks what is there already; returns its length. */
    long goOn(RecordCheck check) throws IOException {
      if (!file.toFile().exists()) { // it may be a link that leads nowhere, which is not opened
        return 0;
      }
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(file); // no member has made it
        return 0;
      }
      FileChannel from = open();
      ByteBuffer there = ByteBuffer.allocate((int) Math.min(from.size(), FetchGroup.PIECE_BYTES));
      while (from.position() < from.size() && from.read(there) >= 0) {
        check.take(there.flip());
        there.clear();
      }
      return from.position();
    }

    private FileChannel open() throws IOException {
      FileChannel opened = channel;
      if (opened == null) {
        opened = HostDirectory.openGrowing(file);
        channel = opened;
      }
      return opened;
    }

    void append(RecordCheck check, ByteBuffer piece, long left) throws IOException {
      fetchedBytes.addAndGet(piece.remaining());
      if (left > Ledger.shareOfHost(files.freeBytes())) {
        String message = files + " has no room for " + left + " bytes";
        throw isFirst ? new TooLongException(message, null) : new NoRoomException(message, null);
      }
      isFirst = false;
      check.take(piece);
      only = channel == null && left == piece.remaining() ? piece.duplicate() : null;
      try {
        FileChannel to = open();
        while (piece.hasRemaining()) {
          to.write(piece);
        }
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (IOException e) {
        throw new NoRoomException(files + " is full", e);
      }
      Steps.reached("piece");
    }

    @Override
    public void close() throws IOException {
      if (channel != null) {
        channel.close();
      }
    }
  }

  /** Fetches a group for which the disk has no room into memory. */
  private GroupInput fetchThrough(GroupAddress group) throws IOException {
    TooLongException tooLong = null;
    try (Pull pull = new Pull(group, null, null, directory, messaging)) {
      while (true) {
        PiecesInMemory pieces = new PiecesInMemory(group);
        RecordCheck check = new RecordCheck(space(), group);
        boolean whole = false;
        try {
          pull.all(0, (piece, left) -> keep(pieces, check, piece));
          check.finish();
          GroupInput in = new GroupInput(pieces, pieces.lengthBytes(), space(), group);
          whole = true;
          return in;
        } catch (StreamCorruptedException | EOFException e) {
          pull.isWrong(e);
        } catch (TooLongException e) {
          tooLong = e;
          pull.isTooLong(e);
        } finally {
          if (!whole) {
            pieces.close();
          }
        }
      }
    } catch (GroupLostException e) {
      throw tooLong == null ? e : tooLong;
    }
  }

  private void keep(PiecesInMemory pieces, RecordCheck check, ByteBuffer piece) throws IOException {
    fetchedBytes.addAndGet(piece.remaining());
    check.take(piece);
    try {
      pieces.add(piece);
    } catch (IOException e) {
      throw new TooLongException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What a group refers to; null if it is not on this host. */
  GroupAddress @Nullable [] dependencies(GroupAddress group) throws IOException {
    Opened found = files.find(group);
    if (found == null) {
      return null;
    }
    try (GroupInput in = new GroupInput(found.channel(), found.mostBytes(), space(), group)) {
      return in.finish();
    }
  }

  /**
   * Answers a request.
   *
   * @return a piece, which is read when it leaves
   * @throws IOException if it does not know the secret, or this host has no such group
   */
  Object serve(FetchGroup request) throws IOException {
    if (request.secret() != directory.joined().secret()) {
      throw new AccessException("the secret of the space is another one here");
    }
    if (!files.has(request.group())) {
      throw new IOException(ABSENT);
    }
    return new Piece(this, request);
  }

  /**
   * A piece of a group for another host. It becomes an array only when it is written: a host may
   * ask for thousands, and take none of them.
   */
  private static final class Piece implements Serializable {
    private static final long serialVersionUID = 1;

    private final transient Fetcher fetcher;
    private final transient FetchGroup request;

    Piece(Fetcher fetcher, FetchGroup request) {
      this.fetcher = fetcher;
      this.request = request;
    }

    Opened open() throws IOException {
      Opened found = fetcher.files.find(request.group());
      if (found == null) {
        throw new IOException(ABSENT);
      }
      return found;
    }

    private byte[] read() throws IOException {
      try (FileChannel from = open().channel()) {
        long start = from.position();
        GroupHeader header = GroupHeader.read(from).checked(fetcher.space(), request.group());
        return piece(from, start, header.recordBytes(), request);
      }
    }

    private Object writeReplace() throws ObjectStreamException {
      try {
        byte[] bytes = read();
        fetcher.servedBytes.addAndGet(bytes.length - FetchGroup.LENGTH_BYTES);
        return bytes;
      } catch (IOException e) {
        InvalidObjectException unread = new InvalidObjectException(e.getMessage());
        unread.initCause(e);
        throw unread;
      }
    }
  }

  private static byte[] piece(FileChannel from, long start, long total, FetchGroup request)
      throws IOException {
    long offset = request.from();
    if (offset < 0 || request.most() < 0 || request.most() > FetchGroup.PIECE_BYTES) {
      throw new IOException("no piece has " + request.most() + " bytes from " + offset + " on");
    }
    int length = (int) Math.max(0, Math.min(request.most(), total - offset));
    ByteBuffer answer =
        ByteBuffer.allocate(FetchGroup.LENGTH_BYTES + length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(total);
    from.position(start + offset);
    while (answer.hasRemaining()) {
      if (from.read(answer) < 0) {
        throw new EOFException("its file was shortened");
      }
    }
    return answer.array();
  }
}
