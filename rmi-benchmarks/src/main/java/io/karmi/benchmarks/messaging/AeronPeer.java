package io.karmi.benchmarks.messaging;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.karmi.benchmarks.measure.ProcessFolders;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Aeron: by UDP over the loopback interface, with a media driver in each JVM, or by shared memory
 * ({@code aeron:ipc}), with the driver in the receiver's JVM.
 *
 * <p>A message has a byte with its kind, and content. The first one tells the channel to which
 * answers go.
 */
final class AeronPeer implements MessageSender {
  private static final byte MESSAGE = 0;
  private static final byte REQUEST = 1;
  private static final byte COUNT = 2;
  private static final byte HELLO = 3;
  private static final byte DUE = 4;
  private static final byte DELAY = 5;

  private static final int STREAM = 7;
  private static final int ANSWERS = 8;

  /** Messages are at most an eighth as long. */
  private static final String TERM = "term-length=16m";

  private static final String IPC = "aeron:ipc?" + TERM;

  private static final int FRAGMENTS = 64;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final Publication out;
  private final Subscription in;
  private final ThreadLocal<UnsafeBuffer> buffers =
      ThreadLocal.withInitial(() -> new UnsafeBuffer(new byte[1 + (1 << 20)]));
  private final FragmentAssembler assembler = new FragmentAssembler(this::answered);
  private boolean answered;
  private long answer;

  private AeronPeer(Aeron aeron, String to, String back) {
    in = aeron.addSubscription(back, ANSWERS);
    out = aeron.addPublication(to, STREAM);
    UnsafeBuffer hello = new UnsafeBuffer(new byte[1 + Integer.BYTES + back.length()]);
    hello.putByte(0, HELLO);
    hello.putStringAscii(1, back);
    offer(out, hello, hello.capacity());
  }

  /** Sends by UDP to a port of this host. */
  static AeronPeer udp(int port) throws IOException {
    return new AeronPeer(connect(driver()), channel(port), channel(freePort()));
  }

  /** Sends by shared memory, by way of a driver that has this folder. */
  static AeronPeer ipc(String folder) {
    return new AeronPeer(connect(folder), IPC, IPC);
  }

  private static String channel(int port) {
    return "aeron:udp?endpoint=127.0.0.1:" + port + "|" + TERM;
  }

  private static int freePort() throws IOException {
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** A name for a folder of this process, in which drivers have theirs; nothing is made. */
  static Path folder() {
    Path usual = Path.of(CommonContext.getAeronDirectoryName());
    return ProcessFolders.next(Objects.requireNonNull(usual.getParent()), "aeron-karmi");
  }

  /** Launches a driver in the folder that Aeron's property names; that folder. */
  private static String driver() {
    MediaDriver driver =
        MediaDriver.launchEmbedded(
            new MediaDriver.Context()
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new BackoffIdleStrategy())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
    Runtime.getRuntime().addShutdownHook(new Thread(driver::close, "driver"));
    return driver.aeronDirectoryName();
  }

  private static Aeron connect(String folder) {
    return Aeron.connect(new Aeron.Context().aeronDirectoryName(folder));
  }

  /** Serves in a thread of its own; returns the port. */
  static int serveUdp() throws IOException {
    int port = freePort();
    serve(driver(), channel(port));
    return port;
  }

  /** Serves in a thread of its own; returns the driver's folder. */
  static String serveIpc() {
    String folder = driver();
    serve(folder, IPC);
    return folder;
  }

  private static void serve(String folder, String channel) {
    Aeron aeron = connect(folder);
    Receiver receiver = new Receiver(aeron, aeron.addSubscription(channel, STREAM));
    Thread thread = new Thread(receiver, "Aeron receiver");
    thread.start();
  }

  /** The end that receives. */
  private static final class Receiver implements Runnable {
    private final Aeron aeron;
    private final Subscription in;
    private final FragmentAssembler assembler = new FragmentAssembler(this::take);
    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[1 << 20]);
    private @Nullable Publication out;
    private final Delays delays = new Delays();
    private long arrived;

    Receiver(Aeron aeron, Subscription in) {
      this.aeron = aeron;
      this.in = in;
    }

    @Override
    public void run() {
      IdleStrategy idle = new BackoffIdleStrategy();
      while (!in.isClosed()) {
        idle.idle(in.poll(assembler, FRAGMENTS));
      }
    }

    private void take(DirectBuffer from, int offset, int length, Object header) {
      byte kind = from.getByte(offset);
      if (kind == HELLO) {
        out = aeron.addPublication(from.getStringAscii(offset + 1), ANSWERS);
        return;
      }
      int content = kind == COUNT || kind == DELAY ? Long.BYTES : length - 1;
      if (kind == COUNT) {
        reply.putLong(0, arrived);
      } else if (kind == DELAY) {
        reply.putLong(0, delays.rank((int) from.getLong(offset + 1)));
      } else {
        arrived++;
      }
      if (kind == DUE) {
        delays.arrived(from.getLong(offset + 1));
      } else if (kind != MESSAGE && out != null) {
        if (kind == REQUEST) {
          reply.putBytes(0, from, offset + 1, content);
        }
        offer(out, reply, content);
      }
    }
  }

  private static void offer(Publication to, DirectBuffer from, int length) {
    IdleStrategy idle = new BackoffIdleStrategy();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      long position = to.offer(from, 0, length);
      if (position >= 0) {
        return;
      }
      if (position == Publication.CLOSED
          || position == Publication.MAX_POSITION_EXCEEDED
          || System.nanoTime() - end > 0) {
        throw new IllegalStateException("Aeron takes no message: " + position);
      }
      idle.idle();
    }
  }

  private void answered(DirectBuffer from, int offset, int length, Object header) {
    answer = length >= Long.BYTES ? from.getLong(offset) : 0;
    answered = true;
  }

  @Override
  public boolean runs(MessageKernel kernel) {
    boolean asks = !kernel.isOneWay();
    return kernel != MessageKernel.FOUR_INTS
        && !(asks && kernel.threads > 1)
        && kernel != MessageKernel.REQUEST_AMONG_LARGE;
  }

  @Override
  public void send(int bytes) {
    UnsafeBuffer buffer = buffers.get();
    buffer.putByte(0, MESSAGE);
    offer(out, buffer, 1 + bytes);
  }

  @Override
  public void sendDue(long dueNanos) {
    UnsafeBuffer buffer = buffers.get();
    buffer.putByte(0, DUE);
    buffer.putLong(1, dueNanos);
    offer(out, buffer, 1 + MessageKernel.PACED.bytes);
  }

  @Override
  public long delayNanos(int perMille) throws IOException {
    buffers.get().putLong(1, perMille);
    return ask(DELAY, Long.BYTES);
  }

  @Override
  public void request(int bytes) throws IOException {
    ask(REQUEST, bytes);
  }

  @Override
  public long arrived() throws IOException {
    return ask(COUNT, 0);
  }

  private long ask(byte kind, int bytes) throws IOException {
    UnsafeBuffer buffer = buffers.get();
    buffer.putByte(0, kind);
    answered = false;
    offer(out, buffer, 1 + bytes);
    IdleStrategy idle = new BackoffIdleStrategy();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answered) {
      idle.idle(in.poll(assembler, FRAGMENTS));
      if (System.nanoTime() - end > 0) {
        throw new IOException("no answer by Aeron in " + PATIENCE_NANOS / 1_000_000_000 + " s");
      }
    }
    return answer;
  }
}
