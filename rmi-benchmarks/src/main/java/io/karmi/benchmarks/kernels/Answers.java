package io.karmi.benchmarks.kernels;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What a server of any stack does when a method of {@link Ping} is called. Thread-safe. */
public class Answers {
  private final AtomicLong checksum = new AtomicLong();
  private volatile @Nullable Object taken;

  public void ping() {
    checksum.incrementAndGet();
  }

  public void ping(int a, int b) {
    checksum.addAndGet(Pings.sum(a, b));
  }

  public void ping(int a, int b, float c, float d) {
    checksum.addAndGet(Pings.sum(a, b, c, d));
  }

  public @Nullable Object ping(@Nullable Object argument) {
    return argument;
  }

  public void take(@Nullable Object argument) {
    taken = argument;
  }

  public @Nullable Object taken() {
    return taken;
  }

  public long checksum() {
    return checksum.get();
  }
}
