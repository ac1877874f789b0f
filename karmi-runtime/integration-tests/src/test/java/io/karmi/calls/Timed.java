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

  /** Sleeps as {@link #sleep}, for a caller that does not wait. */
  CompletableFuture<Integer> sleepOnMeanwhile(long millis) throws RemoteException;

  /** Lets another object sleep, and says what came of it. */
  int relay(Timed next, long millis) throws RemoteException;

  /**
   * Lets another object sleep interruptibly, asks to be interrupted meanwhile, and says what came
   * of it.
   */
  int relayInterruptibly(Timed next, long millis) throws RemoteException;

  /** Returns how many bytes it gets, at once. */
  int take(byte[] bytes) throws RemoteException;

  /** The same, for a caller that does not wait. */
  CompletableFuture<Integer> takeMeanwhile(byte[] bytes) throws RemoteException;

  /** Has another object take bytes once it is told to, and says what came of it. */
  int feed(Timed taker, int bytes) throws RemoteException;

  /** How many milliseconds the call has left; negative without a deadline. */
  long left() throws RemoteException;

  /** The same, for a caller that does not wait. */
  CompletableFuture<Long> leftMeanwhile() throws RemoteException;

  /**
   * What the call has left when it begins; and what calls of another object have left after a
   * pause, the second one by its future.
   */
  long[] relayLeft(Timed next, long pauseMillis) throws RemoteException;
}
