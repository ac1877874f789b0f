package io.karmi.benchmarks.peers;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.karmi.benchmarks.measure.ProcessFolders;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Aeron between two processes: the shared memory of its {@code aeron:ipc} channel, one stream per
 * direction, with the media driver in the server's JVM. Both sides spin as {@link Waiting} does.
 */
final class AeronLink implements Link {
  private static final String CHANNEL = "aeron:ipc?term-length=1m";

  /** The driver is not on the way of a message, and is to leave the processors to others. */
  private static final IdleStrategy DRIVER_IDLES =
      new BackoffIdleStrategy(10, 5, 1_000, TimeUnit.MILLISECONDS.toNanos(16));

  private static final AtomicInteger STREAMS = new AtomicInteger(1000);

  /** The JVM's connection to the media driver; made for its first link. */
  private static final class Connected {
    private static volatile @Nullable Aeron aeron;

    private Connected() {}

    static synchronized Aeron asServer() {
      Aeron known = aeron;
      return known == null ? asClient(launchDriver()) : known;
    }

    static synchronized Aeron asClient(String directory) {
      Aeron known = aeron;
      if (known == null) {
        known = connect(directory);
        aeron = known;
      }
      return known;
    }

    /** Returns the driver's folder. */
    private static String launchDriver() {
      MediaDriver driver =
          MediaDriver.launchEmbedded(
              new MediaDriver.Context()
                  .aeronDirectoryName(folder())
                  .threadingMode(ThreadingMode.SHARED)
                  .sharedIdleStrategy(DRIVER_IDLES)
                  .dirDeleteOnStart(true)
                  .dirDeleteOnShutdown(true));
      Runtime.getRuntime().addShutdownHook(new Thread(driver::close, "driver"));
      return driver.aeronDirectoryName();
    }

    private static String folder() {
      Path usual = Path.of(CommonContext.getAeronDirectoryName());
      return ProcessFolders.next(Objects.requireNonNull(usual.getParent()), "aeron-karmi")
          .toString();
    }

    private static Aeron connect(String directory) {
      return Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
    }
  }

  private final Socket control;
  private final Waiting waiting;
  private final ExclusivePublication out;
  private final Subscription in;
  private final UnsafeBuffer sending = new UnsafeBuffer(new byte[0]);
  private final FragmentAssembler receiver;
  private byte[] receiving = new byte[0];
  private boolean complete;

  private AeronLink(Socket control, Aeron aeron, int outStream, int inStream) {
    this.control = control;
    this.waiting = new Waiting(control);
    this.out = aeron.addExclusivePublication(CHANNEL, outStream);
    this.in = aeron.addSubscription(CHANNEL, inStream);
    this.receiver =
        new FragmentAssembler(
            (buffer, offset, length, header) -> {
              buffer.getBytes(offset, receiving, 0, length);
              complete = true;
            });
  }

  static Link serve(Socket control) throws IOException {
    Aeron aeron = Connected.asServer();
    int stream = STREAMS.getAndAdd(2);
    AeronLink link = new AeronLink(control, aeron, stream, stream + 1);
    DataOutputStream answer = new DataOutputStream(control.getOutputStream());
    answer.writeUTF(aeron.context().aeronDirectoryName());
    answer.writeInt(stream);
    return link;
  }

  static Link connect(Socket control) throws IOException {
    DataInputStream answer = new DataInputStream(control.getInputStream());
    Aeron aeron = Connected.asClient(answer.readUTF());
    int stream = answer.readInt();
    return new AeronLink(control, aeron, stream + 1, stream);
  }

  @Override
  public void send(byte[] message) throws IOException {
    sending.wrap(message);
    waiting.reset();
    for (long position = out.offer(sending); position < 0; position = out.offer(sending)) {
      if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
        throw new IOException("Aeron's publication is closed");
      }
      waiting.idle();
    }
  }

  @Override
  public void receive(byte[] message) throws IOException {
    receiving = message;
    complete = false;
    waiting.reset();
    while (!complete) {
      if (in.poll(receiver, 1) == 0) {
        waiting.idle();
      }
    }
  }

  @Override
  public void begin() throws IOException {
    Waiting.wake(control);
  }

  @Override
  public void close() throws IOException {
    out.close();
    in.close();
    control.close();
  }
}
