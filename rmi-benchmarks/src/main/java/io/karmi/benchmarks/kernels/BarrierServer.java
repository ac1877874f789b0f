package io.karmi.benchmarks.kernels;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.TimeUnit;

/**
 * The barrier at the server. A client that does not come within a minute fails those that wait.
 *
 * <p>Entering is a meeting of its own: a client that enters the next series early waits until all
 * have left the last one.
 */
final class BarrierServer extends UnicastRemoteObject implements Barrier {
  private static final long serialVersionUID = 1;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private transient int entering;
  private transient int parties;
  private transient int waiting;
  private transient long generation;

  BarrierServer() throws RemoteException {}

  @Override
  public synchronized void enter(int all) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (parties > 0) {
      await(deadline, "the last series has not ended");
    }
    long mine = generation;
    if (++entering == all) {
      entering = 0;
      parties = all;
      open();
      return;
    }
    while (generation == mine) {
      await(deadline, entering + " of " + all + " clients have entered");
    }
  }

  @Override
  public synchronized void await() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    long mine = generation;
    waiting++;
    openIfAllWait();
    while (generation == mine) {
      await(deadline, waiting + " of " + parties + " clients wait");
    }
  }

  @Override
  public synchronized void leave() {
    parties--;
    openIfAllWait();
    notifyAll();
  }

  private void openIfAllWait() {
    if (waiting > 0 && waiting == parties) {
      open();
    }
  }

  private void open() {
    waiting = 0;
    generation++;
    notifyAll();
  }

  private void await(long deadline, String state) throws InterruptedException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new IllegalStateException("a client of the star is missing: " + state);
    }
    TimeUnit.NANOSECONDS.timedWait(this, left);
  }
}
