package io.karmi.benchmarks.applications;

import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The server's half of {@link Hamming}: one thread per prime. */
public final class HammingServer extends UnicastRemoteObject implements Multipliers {
  private static final long serialVersionUID = 1;

  public HammingServer() throws RemoteException {}

  @Override
  public Multiplier create(long factor, int index, Merger merger) throws RemoteException {
    Worker worker = new Worker(factor, index, merger);
    UnicastRemoteObject.exportObject(worker, 0);
    Thread thread = new Thread(worker, "multiplier " + factor);
    thread.setDaemon(true);
    thread.start();
    return worker;
  }

  private static final class Worker implements Multiplier, Runnable {
    private static final long STOP = 0;

    private final long factor;
    private final int index;
    private final Merger merger;
    private final BlockingQueue<Long> values = new LinkedBlockingQueue<>();

    Worker(long factor, int index, Merger merger) {
      this.factor = factor;
      this.index = index;
      this.merger = merger;
    }

    @Override
    public void multiply(long value) {
      values.add(value);
    }

    @Override
    public void stop() throws NoSuchObjectException {
      values.add(STOP);
      UnicastRemoteObject.unexportObject(this, true);
    }

    @Override
    public void run() {
      try {
        for (long value = values.take(); value != STOP; value = values.take()) {
          merger.product(index, value * factor);
        }
      } catch (RemoteException e) {
        throw new IllegalStateException("multiplier " + factor + " lost its merger", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
