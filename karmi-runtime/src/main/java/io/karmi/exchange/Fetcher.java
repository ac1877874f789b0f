package io.karmi.exchange;

import io.karmi.events.Recorder;
import io.karmi.exchange.HostDirectory.Opened;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Joined;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.settings.Settings;
import io.karmi.technology.Workers;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.rmi.AccessException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  /** Requests of one fetch that are under way at a time. */
  private static final int UNDER_WAY = 4;

  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  /** Threads that send requests: as many fetches may wait for stopped processes at a time. */
  private static final Workers ASKING = new Workers("KaRMI Exchange Request", 32);

  private static final int LENGTH_BYTES = Long.BYTES;
  private static final long FIRST_PAUSE_MILLIS = 1;
  private static final long LONGEST_PAUSE_MILLIS = 50;

  private final HostDirectory files;
  private final Directory directory;
  private final Messaging messaging;
  private final AtomicLong fetchedBytes = new AtomicLong();
  private final AtomicLong servedBytes = new AtomicLong();
  private final AtomicLong fetches = new AtomicLong();

  Fetcher(HostDirectory files, Directory directory, Messaging messaging) {
    this.files = files;
    this.directory = directory;
    this.messaging = messaging;
  }

  /** Counters by name. */
  Map<String, Long> counters() {
    return Map.of(
        "groupsFetched", fetches.get(),
        "bytesFetched", fetchedBytes.get(),
        "bytesServed", servedBytes.get());
  }

  /** A source that cannot give a group, for a reason that others need not have. */
  private static final class SourceFailedException extends IOException {
    private static final long serialVersionUID = 1;

    SourceFailedException(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  /** The disk is full: the group is read through without being kept. */
  private static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Opens a group, which is fetched if it is not on this host.
   *
   * @param sources who has it; null if the directory is to be asked
   * @param came told the groups that it refers to, if it was fetched
   */
  GroupInput open(GroupAddress group, Address @Nullable [] sources, Consumer<GroupAddress[]> came)
      throws IOException {
    Opened found = files.find(group);
    try {
      found = found == null ? fetchOrAwait(group, sources, came) : found;
    } catch (NoRoomException e) {
      LOG.log(System.Logger.Level.INFO, "no room for group " + group + " in " + files, e);
    }
    if (found == null) {
      return fetchThrough(group, directory.holders(group));
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

  /** Null if there is no room for it, or who fetches it does not go on. */
  private @Nullable Opened fetchOrAwait(
      GroupAddress group, Address @Nullable [] sources, Consumer<GroupAddress[]> came)
      throws IOException {
    Path growing = files.fetching(group);
    long pause = FIRST_PAUSE_MILLIS;
    long size = 0;
    long end = nanosOfLimit();
    while (end - System.nanoTime() > 0) {
      Opened found = tryFetch(group, sources, came);
      if (found != null) {
        return found;
      }
      pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
      long sizeNow = growing.toFile().length();
      if (sizeNow != size) {
        size = sizeNow;
        end = nanosOfLimit();
      }
    }
    return null;
  }

  private static long nanosOfLimit() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Settings.EXCHANGE_TIMEOUT.get());
  }

  /** Null if another process or thread of this host fetches it. */
  private @Nullable Opened tryFetch(
      GroupAddress group, Address @Nullable [] sources, Consumer<GroupAddress[]> came)
      throws IOException {
    FileLock lock = files.tryFetch(group);
    GroupAddress[] refersTo = null;
    try {
      Opened found = files.find(group);
      if (found != null || lock == null) {
        return found;
      }
      Steps.reached("begin");
      refersTo = fetch(group, sources);
      Steps.reached("end");
    } finally {
      if (lock != null) {
        lock.release();
      }
    }
    came.accept(refersTo); // without the lock: those are fetched, too
    return files.find(group);
  }

  private static void pause(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another process fetches the group");
    }
  }

  /** Fetches a group from the first source that can give it; returns what it refers to. */
  private GroupAddress[] fetch(GroupAddress group, Address @Nullable [] known) throws IOException {
    List<String> failures = new ArrayList<>();
    List<Address> tried = new ArrayList<>();
    Address[] sources = known == null ? directory.holders(group) : known;
    long secret = directory.joined().secret();
    for (int round = 0; round < 2; round++) {
      for (Address source : sources) {
        if (tried.size() < Directory.MAXIMUM_SOURCES
            && !tried.contains(source)
            && !source.equals(messaging.address())) {
          tried.add(source);
          try {
            return fetchFrom(source, group);
          } catch (SourceFailedException e) {
            failures.add(source + ": " + e.getMessage());
          }
        }
      }
      sources = directory.holders(group); // those who have come meanwhile
      if (secret != directory.joined().secret()) {
        tried.clear(); // they may have known the new one only
      }
    }
    Files.deleteIfExists(files.fetching(group));
    throw new GroupLostException(group, failures);
  }

  private GroupAddress[] fetchFrom(Address source, GroupAddress group) throws IOException {
    Path file = files.fetching(group);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(file); // no member has made it
    }
    long before = Files.exists(file) ? Files.size(file) : 0;
    try {
      return fetchTo(file, before, source, group);
    } catch (SourceFailedException e) {
      if (before == 0 || !Files.notExists(file)) {
        throw e;
      }
      return fetchTo(file, 0, source, group); // what another one had left was not of this group
    }
  }

  private GroupAddress[] fetchTo(Path file, long from, Address source, GroupAddress group)
      throws IOException {
    try {
      pullTo(file, from, source, group);
      return publish(file, group);
    } catch (NoRoomException e) {
      Files.deleteIfExists(file);
      throw e;
    } catch (StreamCorruptedException | EOFException e) {
      Files.deleteIfExists(file);
      throw new SourceFailedException("what it has sent is not the group: " + e.getMessage(), e);
    }
  }

  private void pullTo(Path file, long from, Address source, GroupAddress group) throws IOException {
    try (FileChannel to =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            HostDirectory.GROWING)) {
      to.position(from);
      pull(source, group, from, (piece, left) -> append(to, piece, left));
    }
  }

  /** Gives what has come its name, if it is the group. */
  private GroupAddress[] publish(Path file, GroupAddress group) throws IOException {
    try (FileChannel all = FileChannel.open(file, StandardOpenOption.READ);
        GroupInput whole = new GroupInput(all, all.size(), space(), group)) {
      if (whole.header().recordBytes() != all.size()) {
        throw new StreamCorruptedException("it has " + all.size() + " bytes");
      }
      GroupAddress[] refersTo = whole.finish();
      Steps.reached("whole");
      HostDirectory.publish(file, files.fetched(group));
      fetches.incrementAndGet();
      Recorder.instance().group(group.toString(), "fetched", whole.header().length());
      return refersTo;
    }
  }

  private void append(FileChannel to, ByteBuffer piece, long left) throws IOException {
    if (left > files.freeBytes()) {
      throw new NoRoomException();
    }
    try {
      while (piece.hasRemaining()) {
        to.write(piece);
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      NoRoomException full = new NoRoomException();
      full.initCause(e);
      throw full;
    }
    Steps.reached("piece");
  }

  /** Takes a piece, in order. */
  @FunctionalInterface
  private interface Pieces {
    /**
     * Takes it.
     *
     * @param left bytes of this piece and of all behind it, as the source says
     */
    void take(ByteBuffer piece, long left) throws IOException;
  }

  /** Asks a source for all from an offset on. What it says of the length counts piece by piece. */
  private void pull(Address source, GroupAddress group, long from, Pieces to) throws IOException {
    Deque<CompletableFuture<Object>> underWay = new ArrayDeque<>();
    try {
      long total = -1;
      long asked = from;
      long come = from;
      underWay.add(ask(source, group, asked));
      asked += FetchGroup.PIECE_BYTES;
      while (!underWay.isEmpty()) {
        ByteBuffer answer =
            ByteBuffer.wrap(answer(underWay.remove())).order(ByteOrder.LITTLE_ENDIAN);
        total = checked(answer, come, total);
        long left = total - come;
        come += answer.remaining();
        fetchedBytes.addAndGet(answer.remaining());
        while (underWay.size() < UNDER_WAY && asked < total) {
          underWay.add(ask(source, group, asked));
          asked += FetchGroup.PIECE_BYTES;
        }
        to.take(answer, left);
      }
    } finally {
      underWay.forEach(each -> each.cancel(true));
    }
  }

  /** The length of the whole, if this is the piece that was asked for. */
  private static long checked(ByteBuffer answer, long from, long before)
      throws StreamCorruptedException {
    long total = answer.remaining() < LENGTH_BYTES ? -1 : answer.getLong();
    if (total < from
        || before >= 0 && total != before
        || answer.remaining() != Math.min(FetchGroup.PIECE_BYTES, total - from)) {
      throw new StreamCorruptedException(
          "it says that the group has "
              + total
              + " bytes, and has sent "
              + answer.remaining()
              + " from "
              + from
              + " on");
    }
    return total;
  }

  private CompletableFuture<Object> ask(Address source, GroupAddress group, long from) {
    Joined joined = directory.joined();
    FetchGroup request = new FetchGroup(joined.space(), joined.secret(), group, from);
    CompletableFuture<Object> answer = new CompletableFuture<>();
    ASKING.execute(() -> ask(request, source, answer));
    return answer;
  }

  /** Sends a request, which may wait for a connection to a process that is stopped. */
  private void ask(FetchGroup request, Address source, CompletableFuture<Object> answer) {
    if (answer.isDone()) {
      return; // given up before its turn
    }
    CompletableFuture<Object> asked = messaging.request(request, source);
    asked.whenComplete(
        (piece, problem) -> {
          if (problem == null) {
            answer.complete(piece);
          } else {
            answer.completeExceptionally(problem);
          }
        });
    answer.whenComplete((piece, problem) -> asked.cancel(true));
  }

  private static byte[] answer(CompletableFuture<Object> asked) throws IOException {
    long limit = Settings.EXCHANGE_TIMEOUT.get();
    try {
      Object answer = asked.get(limit, TimeUnit.MILLISECONDS);
      if (answer instanceof byte[] bytes) {
        return bytes;
      }
      throw new SourceFailedException("its answer is no piece of a group", null);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new SourceFailedException(String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      throw new SourceFailedException("no answer within " + limit + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a group is fetched");
    }
  }

  /** Fetches a group for which the disk has no room into memory. */
  private GroupInput fetchThrough(GroupAddress group, Address... sources) throws IOException {
    List<String> failures = new ArrayList<>();
    for (Address source : sources) {
      if (failures.size() < Directory.MAXIMUM_SOURCES && !source.equals(messaging.address())) {
        PiecesInMemory pieces = new PiecesInMemory(group);
        try {
          pull(source, group, 0, (piece, left) -> pieces.add(piece));
          return new GroupInput(pieces, pieces.lengthBytes(), space(), group);
        } catch (SourceFailedException | StreamCorruptedException | EOFException e) {
          pieces.close();
          failures.add(source + ": " + e.getMessage());
        } catch (IOException | RuntimeException e) {
          pieces.close();
          throw e;
        }
      }
    }
    throw new GroupLostException(group, failures);
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
   * @throws IOException if it does not know the secret, or this host has no such group
   */
  byte[] serve(FetchGroup request) throws IOException {
    if (request.secret() != directory.joined().secret()) {
      throw new AccessException("the secret of the space is another one here");
    }
    Opened found = files.find(request.group());
    if (found == null) {
      throw new IOException("it is not on this host");
    }
    try (FileChannel from = found.channel()) {
      long start = from.position();
      GroupHeader header = GroupHeader.read(from).checked(space(), request.group());
      byte[] answer = piece(from, start, header.recordBytes(), request.from());
      servedBytes.addAndGet(answer.length - LENGTH_BYTES);
      return answer;
    }
  }

  private static byte[] piece(FileChannel from, long start, long total, long offset)
      throws IOException {
    if (offset < 0 || offset > total) {
      throw new IOException("it has " + total + " bytes, and " + offset + " was asked for");
    }
    int length = (int) Math.min(FetchGroup.PIECE_BYTES, total - offset);
    ByteBuffer answer =
        ByteBuffer.allocate(LENGTH_BYTES + length).order(ByteOrder.LITTLE_ENDIAN).putLong(total);
    from.position(start + offset);
    while (answer.hasRemaining()) {
      if (from.read(answer) < 0) {
        throw new EOFException("its file was shortened");
      }
    }
    return answer.array();
  }
}
