package io.karmi.bridge;

import io.karmi.rmi.UnicastRemoteObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.RemoteException;
import java.rmi.server.Unreferenced;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A worker that counts its calls and says when no node holds it any more. */
final class WorkerImpl implements Worker, Unreferenced {
  private static final long MOST_SECONDS = 120;

  private Worker stub;

  /** Exports a worker at any port. */
  static WorkerImpl export() throws RemoteException {
    WorkerImpl made = new WorkerImpl();
    made.stub = (Worker) UnicastRemoteObject.exportObject(made, 0);
    return made;
  }

  /** What other nodes call it by. */
  Worker stub() {
    return stub;
  }

  @Override
  public int twice(int number) {
    return 2 * number;
  }

  @Override
  public Object echo(Object value) {
    return value;
  }

  @Override
  public int nest(Worker other, int depth) throws RemoteException {
    return depth == 0 ? 0 : 1 + other.nest(this, depth - 1);
  }

  @Override
  public Worker self() {
    return this;
  }

  @Override
  public void fail() throws IOException {
    throw new FileNotFoundException("no such file at the worker");
  }

  @Override
  public void failRemotely() throws RemoteException {
    throw new RemoteException("the worker itself calls in vain");
  }

  @Override
  public CompletableFuture<String> later(String text) {
    return CompletableFuture.supplyAsync(
        () -> "later " + text, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
  }

  @Override
  public void hang() throws RemoteException {
    System.out.println("hanging");
    try {
      if (!new CountDownLatch(1).await(MOST_SECONDS, TimeUnit.SECONDS)) {
        throw new RemoteException("the test has forgotten this call");
      }
    } catch (InterruptedException e) {
      throw new RemoteException("interrupted", e);
    }
  }

  @Override
  public void unreferenced() {
    System.out.println("unreferenced");
  }
}
