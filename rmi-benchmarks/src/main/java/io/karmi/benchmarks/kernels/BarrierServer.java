package io.karmi.benchmarks.kernels;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The barrier at the server. A client that does not come within a minute fails those that wait.
 *
 * <p>Entering is a meeting of its own: a client that enters the next series early waits until all
 * have left the last one, and have entered, too.
 */
final class BarrierServer extends UnicastRemoteObject implements Barrier {
  private static final long serialVersionUID = 1;
  private static final long PATIENCE_SECONDS = 60;

  private transient @Nullable CyclicBarrier entrance;
  private transient volatile Phaser series = new Phaser();

  BarrierServer() throws RemoteException {}

  @Override
  public void enter(int all) throws InterruptedException {
    try {
      entrance(all).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("not all " + all + " clients of the star have entered", e);
    }
  }

  private synchronized CyclicBarrier entrance(int all) {
    if (entrance == null || entrance.getParties() != all) {
      entrance = new CyclicBarrier(all, () -> series = new Phaser(all));
    }
    return entrance;
  }

  @Override
  public void await() throws InterruptedException {
    Phaser now = series;
    try {
      now.awaitAdvanceInterruptibly(now.arrive(), PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("a client of the star is missing: " + now, e);
    }
  }

  @Override
  public void leave() {
    series.arriveAndDeregister();
  }
}
