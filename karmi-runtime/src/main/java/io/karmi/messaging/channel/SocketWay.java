package io.karmi.messaging.channel;

import io.karmi.guard.AllocatedBytes;
import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.messaging.frame.TablePressure;
import io.karmi.messaging.link.ReaderRole;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.RuntimeThreads;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.rmi.MarshalException;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a channel by the streams of a socket ({@link SocketFrame}).
 *
 * <p>One thread reads, and never waits for the other end to take anything: it writes an
 * acknowledgement only where there is room for it. The threads of the program send graphs, and ask
 * what has become of them where there is room. Another one sends what else is told and asked, and
 * closes the socket.
 *
 * <p>Where one thread of the program waits for graph after graph, or for acknowledgements, and
 * nothing is sent ahead, the reading thread steps aside ({@link ReaderRole}), and the waiting
 * thread reads the socket. It gives the role back when more has come than a graph, when a graph has
 * come for which it does not wait, when nothing has come for some milliseconds, and when another
 * thread waits for the other end. A read with a time limit may lose bytes of TLS or of a socket of
 * the program's own class: there the reading thread keeps the role.
 *
 * <p>Thread-safe.
 */
public final class SocketWay implements ChannelWay, ChannelUpkeep.Kept {
  private static final System.Logger LOG = System.getLogger("io.karmi.messaging");
  private static final ChannelUpkeep UPKEEP = new ChannelUpkeep();

  /** Time for which a thread that waits for a graph reads the socket, though nothing comes. */
  private static final int WAITING_MILLIS = 10;

  private static final int FIRST_BYTES = 512;

  /** Offset of a graph's message in its frame. */
  private static final int MESSAGE_AT = SocketFrame.HEADER_BYTES + SocketFrame.GRAPH_BYTES;

  private static final byte[] NONE = {};

  /** Time for what is to be told when the channel is closed. */
  private static final long CLOSING_NANOS = 2_000_000_000L;

  private final Socket socket;
  private final ConnectionSettings settings;
  private final int messageBytes;
  private final String peer;
  private final @Nullable ClassLoader loader;
  private final ChannelEnd channel;
  private final FrameInput in;
  private final FrameOutput out;
  private final Ledger.Account memory;
  private final Ledger.Account tables;
  private final TablePressure pressure = new TablePressure();
  private final SocketGraphs graphs;
  private final ReaderRole role = new ReaderRole();
  private final Thread reader;

  /** The context class loader of {@link #reader}. */
  private final @Nullable ClassLoader context;

  /** Whether a read of the socket may have a time limit. */
  private final boolean canBeTimed;

  /** Time limit of reads; of the thread that has the role. */
  private int limitMillis;

  /** Whether nothing more is to be read. */
  private volatile boolean over;

  /** Of the thread that sends a graph; the channel lets one do so at a time. */
  private OutputBuffer buffer = new OutputBuffer(FIRST_BYTES);

  private @Nullable UkaObjectOutputStream objects;

  /** Whether the other end wants types described afresh. */
  private volatile boolean renewalAsked;

  /* What the sending thread is to do; guarded by this. */
  private boolean tell;
  private boolean ask;
  private boolean renew;
  private boolean closing;

  private volatile long closingAtNanos;

  private SocketWay(
      Socket socket,
      ConnectionSettings settings,
      int windowBytes,
      int messageBytes,
      BiFunction<String, Throwable, IOException> lost)
      throws IOException {
    this.socket = socket;
    this.settings = settings;
    this.messageBytes = messageBytes;
    loader = Thread.currentThread().getContextClassLoader();
    peer = String.valueOf(socket.getRemoteSocketAddress());
    int readMillis = socket.getSoTimeout();
    socket.setSoTimeout(0);
    sendAtOnce(socket);
    out = new FrameOutput(socket.getOutputStream(), SocketFrame.opening(windowBytes), this::lost);
    Object host = socket.getInetAddress() == null ? peer : socket.getInetAddress();
    memory = Ledgers.messages().open(() -> host, 0, this::giveWay);
    in = new FrameInput(socket.getInputStream(), messageBytes, memory, peer);
    tables = Ledgers.tables().open(() -> host, Ledgers.FREE_TABLE_BYTES, pressure::ask);
    graphs = new SocketGraphs(memory, tables, host, peer, loader);
    channel =
        new ChannelEnd(
            this,
            ChannelLimits.of(settings).withReadMillis(readMillis),
            () -> host,
            windowBytes,
            lost);
    canBeTimed = socket.getClass() == Socket.class;
    reader = RuntimeThreads.make("KaRMI Channel of " + peer, this::receiveAll, true);
    if (loader != null) {
      reader.setContextClassLoader(loader);
    }
    context = reader.getContextClassLoader();
  }

  /** A graph behind an acknowledgement is not to wait until the other end has confirmed that. */
  private static void sendAtOnce(Socket socket) {
    try {
      socket.setTcpNoDelay(true);
    } catch (SocketException | UnsupportedOperationException e) {
      LOG.log(System.Logger.Level.DEBUG, "no TCP_NODELAY for " + socket, e); // not TCP
    }
  }

  /**
   * Makes a channel of a socket.
   *
   * @param windowBytes bytes that may be unread at this end
   * @param messageBytes length of one graph
   * @param lost makes the exception for a channel that is lost
   */
  public static ChannelEnd open(
      Socket socket,
      ConnectionSettings settings,
      int windowBytes,
      int messageBytes,
      BiFunction<String, Throwable, IOException> lost)
      throws IOException {
    if (!socket.isConnected() || socket.isClosed()) {
      throw new SocketException("a channel needs a connected socket: " + socket);
    }
    SocketWay way = new SocketWay(socket, settings, windowBytes, messageBytes, lost);
    way.start();
    return way.channel;
  }

  private void start() {
    boolean started = false;
    try {
      reader.start();
      RuntimeThreads.start("KaRMI Channel to " + peer, this::sendAll, true);
      UPKEEP.add(this);
      started = true;
    } finally {
      if (!started) {
        closeSocket();
      }
    }
  }

  /** Ends it, as others need the memory of its unfinished graph. */
  private boolean giveWay(String reason) {
    channel.lost(new IOException(reason));
    cutSocket();
    return true;
  }

  /* Receiving. */

  /** What the reading thread does. */
  private void receiveAll() {
    try {
      channel.begin(in.readOpening());
      while (!over) {
        if (role.isOwn()) {
          receiveOwn();
        } else {
          role.await();
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      lose(e);
    } finally {
      memory.close();
      tables.close();
    }
  }

  private void lose(Throwable why) {
    over = true;
    channel.lost(
        why instanceof EOFException
            ? new EOFException("the other end has closed the socket")
            : why);
  }

  /** Receives a frame in the reading thread, which then may step aside. */
  private void receiveOwn() throws IOException {
    limitReads(0);
    in.read();
    boolean isGraph = in.kind() == SocketFrame.GRAPH;
    Thread waiting = channel.onlyWaiting();
    boolean isAwaited = isGraph == channel.isGraphAwaited();
    handle();
    if (waiting == null) {
      role.isToBeFreed(null); // not so soon where graphs are sent ahead
    } else if (isAwaited && role.isToBeFreed(waiting) && !(isGraph && in.hasMore())) {
      role.free(waiting);
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>It is one that works like the reading thread: with the same context class loader, and not
   * virtual. Allocations of virtual threads are not counted, and an interrupt closes the socket
   * that they read.
   */
  @Override
  public boolean mayReceive() {
    return canBeTimed
        && Thread.currentThread().getContextClassLoader() == context
        && AllocatedBytes.ofCurrentThread() != AllocatedBytes.UNKNOWN;
  }

  @Override
  public boolean receive(boolean graphs) {
    if (over || !role.take()) {
      return false;
    }
    boolean goesOn = false;
    try {
      limitReads(WAITING_MILLIS);
      in.read();
      if (graphs || in.kind() != SocketFrame.GRAPH) {
        handle();
        goesOn = !(graphs && in.hasMore()) && channel.onlyWaiting() == Thread.currentThread();
      }
    } catch (SocketTimeoutException e) {
      LOG.log(System.Logger.Level.TRACE, "the reading thread goes on", e);
    } catch (IOException | RuntimeException | Error e) {
      lose(e);
    }
    if (goesOn) {
      role.free(Thread.currentThread());
    } else {
      role.giveBack(reader);
    }
    return true;
  }

  @Override
  public void receiveElsewhere() {
    if (role.take()) {
      role.giveBack(reader);
    }
  }

  private void limitReads(int millis) throws IOException {
    if (limitMillis != millis) {
      limitMillis = millis;
      socket.setSoTimeout(millis);
    }
  }

  /** Handles the frame that has been read. */
  private void handle() throws IOException {
    try {
      handle(in.kind(), in.body(), in.length());
    } catch (BufferUnderflowException e) {
      throw new StreamCorruptedException("a frame of kind " + in.kind() + " ends early");
    } finally {
      in.drop();
    }
  }

  private void handle(int kind, byte[] body, int length) throws IOException {
    ByteBuffer from = ByteBuffer.wrap(body, 0, length);
    switch (kind) {
      case SocketFrame.GRAPH:
        handleGraph(from.getLong(), from.getLong(), from.get(), body, length);
        break;
      case SocketFrame.ASK:
        channel.asked(from.getLong(), true, from.getLong());
        break;
      case SocketFrame.STATE:
        channel.told(SocketFrame.readState(from));
        break;
      case SocketFrame.END:
        channel.ended(from.getLong());
        break;
      default:
        channel.heard();
        renewalAsked = true;
    }
  }

  private void handleGraph(long number, long known, int flags, byte[] body, int length)
      throws IOException {
    boolean awaited = (flags & SocketFrame.AWAITED) != 0;
    boolean fresh = (flags & SocketFrame.FRESH) != 0;
    ArrivedGraph graph;
    long allocated = AllocatedBytes.ofCurrentThread();
    try {
      graph = graphs.read(body, SocketFrame.GRAPH_BYTES, length, fresh);
    } catch (Exception | Error e) {
      long memoryBytes = AllocatedBytes.since(allocated, length);
      channel.failed(number, known, awaited, GraphFailure.of(e, memoryBytes));
      countTypes();
      return;
    }
    channel.arrived(number, known, awaited, graph);
    countTypes();
  }

  private void countTypes() throws IOException {
    graphs.countTypes();
    if (graphs.takeRenewal()) {
      askForRenewal();
    }
  }

  private void askForRenewal() {
    wake(() -> renew = true);
  }

  /* Sending. */

  @Override
  public int sendGraph(long number, boolean awaited, @Nullable Object graph) throws IOException {
    boolean fresh = objects == null || renewalAsked;
    if (renewalAsked) {
      renewalAsked = false;
      objects = null;
    }
    int bytes;
    try {
      bytes = marshal(graph);
    } catch (IOException e) {
      throw new MarshalException("error marshalling a graph for " + peer, e);
    }
    if (bytes > messageBytes - SocketFrame.GRAPH_BYTES) {
      objects = null; // it has described types that the other end will not see
      throw new MarshalException(
          "a graph of " + bytes + " bytes for " + peer + " is too long (karmi.maxMessageBytes)");
    }
    SocketFrame.putGraph(buffer.bytes, bytes, number, channel.known(), awaited, fresh);
    out.write(buffer.bytes, MESSAGE_AT + bytes);
    if (buffer.bytes.length > FrameOutput.STEP_BYTES) {
      buffer.bytes = new byte[FIRST_BYTES];
    }
    return bytes;
  }

  private int marshal(@Nullable Object graph) throws IOException {
    buffer.position = 0;
    buffer.reserve(MESSAGE_AT);
    buffer.position = MESSAGE_AT;
    UkaObjectOutputStream stream = objects;
    if (stream == null) {
      stream = new UkaObjectOutputStream(buffer);
    }
    boolean done = false;
    try {
      stream.writeObject(graph);
      stream.resetObjects();
      objects = stream;
      done = true;
    } finally {
      if (!done) {
        objects = null; // the next graph describes its types afresh
      }
    }
    return buffer.position - MESSAGE_AT;
  }

  @Override
  public void sendEnd() throws IOException {
    byte[] state = SocketFrame.state(channel.state());
    byte[] end = SocketFrame.end(channel.sent());
    byte[] both = Arrays.copyOf(state, state.length + end.length);
    System.arraycopy(end, 0, both, state.length, end.length);
    out.write(both, both.length); // at once: the other end may close when it has the first one
  }

  private IOException lost(IOException e) {
    channel.lost(e);
    return channel.loss(e);
  }

  @Override
  public void askSoon() {
    wake(() -> ask = true);
  }

  @Override
  public void askInOrderSoon() {
    askSoon(); // all that a socket carries is in order, and nothing of it is dropped
  }

  @Override
  public void tellSoon() {
    wake(() -> tell = true);
  }

  @Override
  public void ask() throws IOException {
    if (!writeAtOnce(() -> SocketFrame.ask(channel.sent(), channel.known()))) {
      askSoon();
    }
  }

  @Override
  public void tell() throws IOException {
    if (!writeAtOnce(this::shortState)) {
      tellSoon();
    }
  }

  /** The state of this end, or nothing if it has failures. */
  private byte[] shortState() {
    ChannelState state = channel.state();
    return state.failed().isEmpty() ? SocketFrame.state(state) : NONE;
  }

  /** Writes a frame if there is one and room for it; returns whether it has. */
  private boolean writeAtOnce(Supplier<byte[]> frame) throws IOException {
    return out.writeIfFree(() -> channel.isLittleOpen() ? frame.get() : NONE);
  }

  private synchronized void wake(Runnable what) {
    what.run();
    notifyAll();
  }

  /** What the sending thread does. */
  private void sendAll() {
    try {
      out.write(NONE, 0); // the opening
      byte[] next = next();
      while (next.length > 0) {
        out.write(next, next.length);
        next = next();
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the channel with " + peer + " has ended", e);
    } catch (RuntimeException | Error e) {
      channel.lost(e);
    } finally {
      closeSocket();
    }
  }

  /** The next frame to send; an empty array when the channel is closed and nothing is left. */
  private synchronized byte[] next() {
    while (true) {
      if (renew) {
        renew = false;
        return SocketFrame.renew();
      } else if (tell) {
        tell = false;
        return SocketFrame.state(channel.state());
      } else if (closing) {
        return NONE;
      } else if (ask) {
        ask = false;
        return SocketFrame.ask(channel.sent(), channel.known());
      }
      try {
        wait();
      } catch (InterruptedException e) {
        // nothing interrupts it for a reason
      }
    }
  }

  @Override
  public boolean keep(long now) {
    String failing = failing(now);
    if (failing != null) {
      channel.lost(new SocketTimeoutException(failing));
      cutSocket();
    } else if (closingAtNanos != 0 && now - closingAtNanos > CLOSING_NANOS) {
      cutSocket();
    }
    return false;
  }

  private @Nullable String failing(long now) {
    long writingSince = out.sinceNanos();
    if (isOver(now, writingSince, settings.writeTimeoutMillis)) {
      return "it has taken nothing for " + settings.writeTimeoutMillis + " ms (karmi.writeTimeout)";
    } else if (isOver(now, in.partAtNanos(), settings.messageTimeoutMillis)) {
      return "it has not gone on with a graph for "
          + settings.messageTimeoutMillis
          + " ms (karmi.messageTimeout)";
    }
    if (pressure.isOver(now, tables.held(), this::askForRenewal)) {
      return "it keeps its types, of which others have no room: " + tables;
    }
    return channel.keep(now);
  }

  private static boolean isOver(long now, long sinceNanos, long millis) {
    return sinceNanos != 0 && millis > 0 && now - sinceNanos > millis * 1_000_000;
  }

  @Override
  public void close() {
    wake(
        () -> {
          if (!closing) {
            closing = true;
            closingAtNanos = System.nanoTime() | 1;
          }
        });
  }

  /** Closes the socket of an end that is given up. Never waits. */
  private void cutSocket() {
    if (!canBeTimed) {
      try {
        socket.setSoLinger(true, 0); // else TLS waits for who writes to an end that takes nothing
      } catch (SocketException | UnsupportedOperationException e) {
        LOG.log(System.Logger.Level.DEBUG, "no SO_LINGER for " + socket, e);
      }
    }
    closeSocket();
  }

  /**
   * Closes the socket. Where it is of TLS, that may wait until it is {@linkplain #cutSocket cut}.
   */
  private void closeSocket() {
    close();
    try {
      socket.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the socket to " + peer + " cannot be closed", e);
    } finally {
      UPKEEP.remove(this);
    }
  }

  @Override
  public String peer() {
    return peer;
  }
}
