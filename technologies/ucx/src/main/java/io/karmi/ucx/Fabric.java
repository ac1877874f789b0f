package io.karmi.ucx;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * UCX in this process: the context of all workers, and registered memory for the connections. It
 * exists as long as it has users. Thread-safe.
 */
final class Fabric {
  /** Upper bound of the registered memory of all connections, in bytes. */
  private static final long MAXIMUM_BYTES =
      Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8);

  /**
   * Memory that another process may still write to: it is never used again, and never given back.
   */
  private static final List<RegisteredBuffer> RETIRED = new ArrayList<>();

  private static @Nullable Fabric existing;

  private final UcpContext context;
  private final ArrayDeque<RegisteredBuffer> free = new ArrayDeque<>();
  private int made;
  private int users;

  private Fabric() {
    /* Neither tags nor remote memory: a peer cannot make UCX keep messages, or write elsewhere. */
    context =
        new UcpContext(
            new UcpParams().requestAmFeature().requestWakeupFeature().setMtWorkersShared(true));
  }

  /**
   * The fabric of this process; {@link #release} must follow.
   *
   * @throws IOException if UCX is not installed here, or has no network that it may use
   */
  static synchronized Fabric acquire() throws IOException {
    Fabric fabric = existing;
    if (fabric == null) {
      try {
        fabric = new Fabric();
        LibraryCopy.delete();
      } catch (LinkageError e) {
        throw new IOException(
            "UCX is not usable here: install libucp.so.0 (Debian: libucx0) and have jucx on the"
                + " class path",
            e);
      } catch (RuntimeException e) {
        throw new IOException("UCX has no network here: " + e.getMessage(), e);
      }
      existing = fabric;
    }
    fabric.users++;
    return fabric;
  }

  /**
   * Adds a user of a fabric.
   *
   * @throws IOException if it had none any more
   */
  Fabric retain() throws IOException {
    synchronized (Fabric.class) {
      if (users == 0) {
        throw new IOException("UCX was closed");
      }
      users++;
      return this;
    }
  }

  /** Ends what {@link #acquire} and {@link #retain} have begun. */
  void release() {
    synchronized (Fabric.class) {
      if (--users > 0) {
        return;
      }
      existing = null;
      synchronized (this) {
        free.forEach(RegisteredBuffer::release);
        free.clear();
      }
      context.close();
    }
  }

  /** A worker that several threads may use. */
  UcpWorker newWorker() {
    return context.newWorker(new UcpWorkerParams().requestThreadSafety());
  }

  /** A buffer that was used before, or a new one; null if there are enough. */
  synchronized @Nullable RegisteredBuffer take() {
    RegisteredBuffer buffer = free.poll();
    if (buffer == null && (made + 1L) * RegisteredBuffer.CAPACITY <= MAXIMUM_BYTES) {
      try {
        buffer = new RegisteredBuffer(context);
        made++;
      } catch (RuntimeException | OutOfMemoryError e) {
        Ucx.LOG.log(System.Logger.Level.DEBUG, "no registered memory: copies instead", e);
      }
    }
    return buffer;
  }

  /** Takes a buffer back, in which nothing is under way any more. */
  synchronized void give(@Nullable RegisteredBuffer buffer) {
    if (buffer != null) {
      buffer.bytes.clear();
      free.push(buffer);
    }
  }

  /** Keeps a buffer that another process may still write to. It counts as one that was made. */
  static void retire(@Nullable RegisteredBuffer buffer) {
    if (buffer != null) {
      synchronized (RETIRED) {
        RETIRED.add(buffer);
      }
    }
  }
}
