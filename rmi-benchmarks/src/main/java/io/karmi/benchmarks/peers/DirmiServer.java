package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.kernels.Pings;
import io.karmi.benchmarks.measure.Parent;
import io.karmi.benchmarks.measure.ProcessCounters;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.cojen.dirmi.Environment;
import org.jspecify.annotations.Nullable;

/** Dirmi's server: prints its port, and lives until it is stopped. */
public final class DirmiServer implements DirmiPing {
  private final AtomicLong checksum = new AtomicLong();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Object taken;

  private DirmiServer() {}

  public static void main(String[] args) throws Exception {
    DirmiServer server = new DirmiServer();
    try (Environment environment = Environment.create();
        ServerSocket socket = new ServerSocket(0, 50, Address.ofThisJvm())) {
      environment.pingTimeoutMillis(DirmiClient.CONNECT_MILLIS);
      environment.customSerializers(PayloadSerializer.all());
      environment.export("ping", server);
      environment.acceptAll(socket);
      System.out.println("port " + socket.getLocalPort());
      Parent.endWithIt();
      server.stopped.await();
      Parent.stopWaiting();
      System.exit(0);
    }
  }

  @Override
  public void ping() {
    checksum.incrementAndGet();
  }

  @Override
  public void ping(int a, int b) {
    checksum.addAndGet(Pings.sum(a, b));
  }

  @Override
  public void ping(int a, int b, float c, float d) {
    checksum.addAndGet(Pings.sum(a, b, c, d));
  }

  @Override
  public void take(@Nullable Object argument) {
    taken = argument;
  }

  @Override
  public @Nullable Object taken() {
    return taken;
  }

  @Override
  public @Nullable Object ping(@Nullable Object argument) {
    return argument;
  }

  @Override
  public long checksum() {
    return checksum.get();
  }

  @Override
  public long allocatedBytes() {
    return ProcessCounters.allocatedBytes();
  }

  @Override
  public long cpuNanos() {
    return ProcessCounters.cpuNanos();
  }

  @Override
  public void stop() {
    stopped.countDown();
  }
}
