package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.kernels.Answers;
import io.karmi.benchmarks.measure.Parent;
import io.karmi.benchmarks.measure.ProcessCounters;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import org.cojen.dirmi.Environment;

/** Dirmi's server: prints its port, and lives until it is stopped. */
public final class DirmiServer extends Answers implements DirmiPing {
  private final CountDownLatch stopped = new CountDownLatch(1);

  private DirmiServer() {}

  public static void main(String[] args) throws Exception {
    DirmiServer server = new DirmiServer();
    try (Environment environment = Environment.create();
        ServerSocket socket = new ServerSocket(0, 50, PeerAddress.ofThisJvm())) {
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
