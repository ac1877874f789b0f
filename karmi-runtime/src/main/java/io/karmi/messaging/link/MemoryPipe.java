package io.karmi.messaging.link;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import io.karmi.ring.RingMemory;
import io.karmi.ring.RingReader;
import io.karmi.ring.RingWriter;
import io.karmi.technology.Pipe;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One end of a pipe within this JVM: two rings of memory, without any network. */
public final class MemoryPipe implements Pipe {
  private static final int CAPACITY = 64 * 1024;

  private final NodeId remote;
  private final CallFormat format;
  private final long key;
  private final RingWriter writer;
  private final RingReader reader;
  private final Ends ends;
  private volatile @Nullable Thread receiving;
  private volatile @Nullable Thread sending;
  private final AtomicReference<@Nullable Runnable> listener = new AtomicReference<>();

  /** Set before either end is handed out. */
  @SuppressWarnings("NullAway.Init")
  private MemoryPipe other;

  /** What both ends share. */
  private static final class Ends {
    volatile boolean closed;
  }

  private MemoryPipe(
      NodeId remote, CallFormat format, long key, RingMemory out, RingMemory in, Ends ends) {
    this.remote = remote;
    this.format = format;
    this.key = key;
    this.writer = new RingWriter(out);
    this.reader = new RingReader(in);
    this.ends = ends;
  }

  /**
   * Makes a pipe.
   *
   * @return the opener's end, and that of the other node
   */
  public static MemoryPipe[] open(NodeId opener, NodeId other, CallFormat format, long key) {
    RingMemory there = RingMemory.allocate(CAPACITY);
    RingMemory back = RingMemory.allocate(CAPACITY);
    Ends ends = new Ends();
    MemoryPipe first = new MemoryPipe(other, format, key, there, back, ends);
    MemoryPipe second = new MemoryPipe(opener, format, key, back, there, ends);
    first.other = second;
    second.other = first;
    return new MemoryPipe[] {first, second};
  }

  @Override
  public NodeId remote() {
    return remote;
  }

  @Override
  public String peerName() {
    return "memory";
  }

  @Override
  public CallFormat format() {
    return format;
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    return receive(to, offset, length, Long.MAX_VALUE);
  }

  @Override
  public boolean isTimed() {
    return true;
  }

  @Override
  public int receive(byte[] to, int offset, int length, int millis) throws IOException {
    return receive(to, offset, length, millis * 1_000_000L);
  }

  private int receive(byte[] to, int offset, int length, long nanos) throws IOException {
    int count = reader.read(to, offset, length);
    if (count == 0) {
      receiving = Thread.currentThread();
      long start = System.nanoTime();
      while ((count = reader.read(to, offset, length)) == 0) {
        reader.fallAsleep();
        if (reader.available() == 0) {
          if (ends.closed) {
            return -1;
          }
          long left = nanos - (System.nanoTime() - start);
          if (left <= 0) {
            reader.awake();
            return 0;
          }
          LockSupport.parkNanos(this, left);
        }
        reader.awake();
      }
    }
    if (reader.mustWakeProducer()) {
      LockSupport.unpark(other.sending);
    }
    return count;
  }

  @Override
  public boolean tellWhenReadable(Runnable told) {
    listener.set(told); // from here on another thread may read
    reader.fallAsleep();
    if (reader.hasMore() || ends.closed) {
      tell();
    }
    return true;
  }

  /** Runs the listener once: both ends may find that it is time. */
  private boolean tell() {
    Runnable told = listener.getAndSet(null);
    if (told != null) {
      told.run();
    }
    return told != null;
  }

  private void wakeReceiver() {
    if (!tell()) {
      LockSupport.unpark(receiving);
    }
  }

  @Override
  public boolean isMemory() {
    return true;
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      if (ends.closed) {
        throw new IOException("the pipe is closed");
      }
      int count = writer.write(from, offset + done, length - done);
      done += count;
      if (writer.mustWakeConsumer()) {
        other.wakeReceiver();
      }
      if (count == 0) {
        sending = Thread.currentThread();
        writer.fallAsleep();
        if (!writer.hasRoom() && !ends.closed) {
          LinkSelector.leave();
          LockSupport.park(this);
        }
        writer.awake();
      }
    }
  }

  @Override
  public void close() {
    ends.closed = true;
    for (MemoryPipe end : new MemoryPipe[] {this, other}) {
      end.wakeReceiver();
      LockSupport.unpark(end.sending);
    }
  }
}
