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
import java.util.concurrent.TimeUnit;
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
final class AeronPeer extends BytesSender {
  /** Kind of the first message, which tells the channel of answers. */
  private static final byte HELLO = -1;

  private static final int STREAM = 7;
  private static final int ANSWERS = 8;

  /** Messages are at most an eighth as long. */
  private static final String TERM = "term-length=16m";

  private static final String IPC = "aeron:ipc?" + TERM;

  private static final int FRAGMENTS = 64;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);

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
  static AeronPeer udp(String port) throws IOException {
    return new AeronPeer(connect(driver()), channel(Integer.parseInt(port)), channel(freePort()));
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
  static String serveUdp() throws IOException {
    int port = freePort();
    serve(driver(), channel(port));
    return Integer.toString(port);
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
    private final Received received = new Received();

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
      int content = length - 1;
      long number = hasNumber(kind) ? from.getLong(offset + 1) : 0;
      long answer = received.take(kind, number);
      if (kind == REQUEST) {
        reply.putBytes(0, from, offset + 1, content);
      } else if (isQuestion(kind)) {
        reply.putLong(0, answer);
        content = Long.BYTES;
      } else {
        return;
      }
      offer(Objects.requireNonNull(out, "a question came before the channel"), reply, content);
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
  void write(byte kind, long number, int bytes) {
    UnsafeBuffer buffer = buffers.get();
    buffer.putByte(0, kind);
    if (hasNumber(kind)) {
      buffer.putLong(1, number);
    }
    offer(out, buffer, 1 + bytes);
  }

  @Override
  long ask(byte kind, long number, int bytes) throws IOException {
    answered = false;
    write(kind, number, bytes);
    IdleStrategy idle = new BackoffIdleStrategy();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!answered) {
      idle.idle(in.poll(assembler, FRAGMENTS));
      if (System.nanoTime() - end > 0) {
        throw new IOException("no answer by Aeron in " + PATIENCE_SECONDS + " s");
      }
    }
    return answer;
  }
}
