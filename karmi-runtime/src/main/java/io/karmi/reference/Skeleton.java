package io.karmi.reference;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.InCall;
import java.rmi.Remote;
import java.rmi.UnmarshalException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The callee's dispatcher: one generated subclass for each set of remote interfaces.
 *
 * <p>Stateless but for a cache of method numbers; thread-safe.
 */
public abstract class Skeleton {
  /** For less it does not pay to start another thread. */
  private static final long PATIENCE_MILLIS = 10;

  private final RemoteInterface remoteInterface;

  /** Of the interface; so that a call need not look at it. */
  private final long fingerprint;

  private volatile @Nullable Translation lastTranslation;

  /** A skeleton for these methods; {@link #upCall} counts in them. */
  protected Skeleton(RemoteInterface remoteInterface) {
    this.remoteInterface = Objects.requireNonNull(remoteInterface);
    this.fingerprint = remoteInterface.fingerprint();
  }

  /** The methods that this skeleton dispatches. */
  public final RemoteInterface remoteInterface() {
    return remoteInterface;
  }

  /**
   * Executes one method: reads all arguments, calls {@link CallInput#endArguments}, calls the
   * method, calls {@link CallOutput#beginResult}, and writes the result, in this order. By these
   * two calls {@link ServerRef} tells apart what failed. Whatever is thrown passes through
   * unchanged.
   *
   * @param methodNumber in the order of {@link #remoteInterface}
   */
  public abstract void upCall(Remote target, int methodNumber, CallInput in, CallOutput out)
      throws Throwable;

  /**
   * Waits for the outcome of a method that has returned a future: it is sent in place of the
   * future. If it takes its time, and another thread can send it, the thread of the call does not
   * go on waiting.
   *
   * @param future null for a method that returned null
   * @return its result
   * @throws Throwable what it was completed with, or that it is {@link Unfinished}
   */
  protected static @Nullable Object outcome(@Nullable CompletableFuture<?> future)
      throws Throwable {
    if (future == null) {
      return null;
    }
    InCall call = CallContext.current();
    try {
      return call != null && call.isSuspendable()
          ? future.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
          : future.get();
    } catch (TimeoutException e) {
      throw new Unfinished(future);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  /** A method has returned a future that is not complete yet. Passes through the skeleton. */
  static final class Unfinished extends Exception {
    private static final long serialVersionUID = 1;
    final transient CompletableFuture<?> future;

    private Unfinished(CompletableFuture<?> future) {
      super("not complete", null, false, false);
      this.future = future;
    }
  }

  /**
   * The own number of a method that a caller numbers by its own interface.
   *
   * @throws UnmarshalException if there is no such method here
   */
  final int methodNumber(RemoteInterface caller, int callersNumber) throws UnmarshalException {
    if (caller.fingerprint() == fingerprint) {
      return callersNumber;
    }
    Translation translation = lastTranslation;
    if (translation == null || translation.caller != caller) {
      translation = new Translation(caller, remoteInterface);
      lastTranslation = translation;
    }
    int number = translation.numbers[callersNumber];
    if (number < 0) {
      throw new UnmarshalException(
          "unrecognized method hash: method not supported by remote object: "
              + Long.toHexString(caller.methodHash(callersNumber))
              + "; it has "
              + remoteInterface);
    }
    return number;
  }

  /** From the method numbers of one caller's interface to those of the skeleton's. */
  private static final class Translation {
    final RemoteInterface caller;
    final int[] numbers;

    Translation(RemoteInterface caller, RemoteInterface own) {
      this.caller = caller;
      numbers = new int[caller.methodCount()];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = own.methodNumber(caller.methodHash(i));
      }
    }
  }
}
