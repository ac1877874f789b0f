package io.karmi.calls;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.concurrent.CompletableFuture;

/** What takes as long as its caller says. */
public interface Timed extends Remote {
  /** Returns the number, at once. */
  int echo(int number) throws RemoteException;

  /** Says when it has slept undisturbed. */
  int sleep(long millis) throws RemoteException;

  /** Sleeps, and asks to be interrupted when its caller gives up; says how it has ended. */
  int sleepInterruptibly(long millis) throws RemoteException;

  /** The same, for a caller that does not wait. */
  CompletableFuture<Integer> sleepMeanwhile(long millis) throws RemoteException;

  /** Lets another object sleep, and says what came of it. */
  int relay(Timed next, long millis) throws RemoteException;
}
