package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.ProcessCounters;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.cojen.dirmi.Environment;
import org.jspecify.annotations.Nullable;

/** Dirmi's server: prints its port, and lives until it is stopped. */
public final class DirmiServer implements DirmiPing {
  private final AtomicLong checksum = new AtomicLong();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private DirmiServer() {}

  public static void main(String[] args) throws Exception {
    DirmiServer server = new DirmiServer();
    try (Environment environment = Environment.create();
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      environment.customSerializers(PayloadSerializer.all());
      environment.export("ping", server);
      environment.acceptAll(socket);
      System.out.println("port " + socket.getLocalPort());
      server.stopped.await();
    }
  }

  @Override
  public void ping() {
    checksum.incrementAndGet();
  }

  @Override
  public void ping(int a, int b) {
    checksum.addAndGet(a + 1_000_003L * b);
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
  public void stop() {
    stopped.countDown();
  }
}
