package io.karmi.reference;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.InCall;
import java.rmi.Remote;
import java.rmi.UnmarshalException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The callee's dispatcher: one generated subclass for each set of remote interfaces.
 *
 * <p>Stateless but for an index of its own methods; thread-safe.
 */
public abstract class Skeleton {
  /** Milliseconds to wait for a future; starting another thread does not pay for less. */
  private static final long PATIENCE_MILLIS = 10;

  private final RemoteInterface remoteInterface;

  /** Fingerprint of the interface, copied so that a call need not read the interface. */
  private final long fingerprint;

  /** Numbers of methods by hash; made for the first caller whose interface differs. */
  private volatile @Nullable OwnMethods ownMethods;

  /** A skeleton for these methods; {@link #upCall} counts in them. */
  protected Skeleton(RemoteInterface remoteInterface) {
    this.remoteInterface = Objects.requireNonNull(remoteInterface);
    this.fingerprint = remoteInterface.fingerprint();
  }

  /** Where classes of arguments are looked for first. */
  @Nullable ClassLoader loader() {
    return getClass().getClassLoader();
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
   * What the caller gets if the arguments cannot be read. Of one that has come as another type, as
   * {@code writeReplace} may return, stock RMI learns from reflection.
   */
  final Throwable argumentProblem(Throwable thrown) {
    if (thrown instanceof ClassCastException) {
      StackTraceElement[] trace = thrown.getStackTrace();
      if (trace.length > 0 && trace[0].getClassName().equals(getClass().getName())) {
        return new IllegalArgumentException("argument type mismatch", thrown);
      }
    }
    return thrown;
  }

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
    OwnMethods own = ownMethods;
    if (own == null) {
      own = new OwnMethods(remoteInterface);
      ownMethods = own;
    }
    int number = own.number(caller.methodHash(callersNumber));
    if (number < 0) {
      throw new UnmarshalException(
          "unrecognized method hash: method not supported by remote object: "
              + Long.toHexString(caller.methodHash(callersNumber))
              + "; it has "
              + remoteInterface);
    }
    return number;
  }

  /**
   * The skeleton's methods by hash. Nothing is kept of callers' interfaces: their number and size
   * are the callers' choice.
   */
  private static final class OwnMethods {
    private final long[] sortedHashes;
    private final int[] numbers;

    OwnMethods(RemoteInterface own) {
      sortedHashes = new long[own.methodCount()];
      for (int i = 0; i < sortedHashes.length; i++) {
        sortedHashes[i] = own.methodHash(i);
      }
      Arrays.sort(sortedHashes);
      numbers = new int[sortedHashes.length];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = own.methodNumber(sortedHashes[i]);
      }
    }

    /** The number of the method with that hash; negative if there is none. */
    int number(long hash) {
      int at = Arrays.binarySearch(sortedHashes, hash);
      return at < 0 ? at : numbers[at];
    }
  }
}
