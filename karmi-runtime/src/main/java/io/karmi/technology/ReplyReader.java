package io.karmi.technology;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import java.io.IOException;
import java.io.WriteAbortedException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.UnmarshalException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reading of replies to calls: how a call ended, its result, or what its method threw. Each method
 * that reads the last part of a reply ends the exchange, and tells the watcher of the call.
 */
final class ReplyReader {
  private ReplyReader() {}

  /** Reads how the call ended, which stands first. */
  static int outcome(CallInput reply) throws RemoteException {
    try {
      return reply.readByte();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
  }

  /**
   * Reads a result, and ends the exchange.
   *
   * @param exactly its only class; null for any
   */
  static @Nullable Object object(
      CallInput reply,
      RemoteInterface type,
      @Nullable ClassLoader loader,
      @Nullable Class<?> exactly)
      throws RemoteException {
    Object result;
    try {
      reply.readFor(loader, type.resultFilter());
      result = exactly == null ? reply.readObject() : reply.readExactly(exactly);
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** As {@link #object}, for a call with a deadline: its reading ends with that. */
  static @Nullable Object objectInTime(
      WatchedCall call,
      CallDeadline deadline,
      CallInput reply,
      RemoteInterface type,
      @Nullable ClassLoader loader)
      throws RemoteException {
    reply.takeAttachment(); // this thread tells how the call ends, and when
    try {
      Object result = TimedReading.read(call, deadline, () -> object(reply, type, loader, null));
      call.ended(null);
      return result;
    } catch (RemoteException | RuntimeException | Error e) {
      call.ended(e);
      throw e;
    }
  }

  /**
   * Reads what the method threw, and ends the exchange.
   *
   * @param outcome other than {@link CallOutput#RETURNED}
   * @param call null if it is not watched
   * @param deadline by which it is to be read; null for none
   * @return what the caller is to throw
   * @throws RemoteException if the reply cannot be read, says that the result was lost, or throws
   *     what is no Exception: honest callees send an Error as the cause of a ServerError, and
   *     others are not to throw one here
   */
  static ThrownByCallee thrown(
      CallInput reply,
      RemoteInterface type,
      @Nullable ClassLoader loader,
      int outcome,
      @Nullable WatchedCall call,
      @Nullable CallDeadline deadline)
      throws RemoteException {
    Throwable thrown =
        call == null || deadline == null
            ? thrown(reply, type, loader, outcome)
            : (Throwable)
                Objects.requireNonNull(
                    TimedReading.read(call, deadline, () -> thrown(reply, type, loader, outcome)));
    if (outcome == CallOutput.RESULT_LOST) {
      throw resultLost(thrown);
    }
    if (!(thrown instanceof Exception)) {
      throw new UnmarshalException("Return type not Exception");
    }
    return new ThrownByCallee((Exception) thrown);
  }

  private static Throwable thrown(
      CallInput reply, RemoteInterface type, @Nullable ClassLoader loader, int outcome)
      throws RemoteException {
    Throwable thrown;
    try {
      reply.readFor(loader, type.resultFilter());
      thrown = readThrown(reply, outcome);
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return thrown;
  }

  private static Throwable readThrown(CallInput reply, int outcome)
      throws IOException, ClassNotFoundException {
    if (outcome != CallOutput.THROWN && outcome != CallOutput.RESULT_LOST) {
      throw new UnmarshalException(
          "reply begins with " + outcome + ", which is no outcome of a call");
    }
    Object thrown = objectThrown(reply);
    if (!(thrown instanceof Throwable)) {
      throw new UnmarshalException("reply throws what is no Throwable");
    }
    return (Throwable) thrown;
  }

  /** As stock RMI shows it: there, too, a result fails with what its own methods throw. */
  private static @Nullable Object objectThrown(CallInput reply) throws UnmarshalException {
    try {
      return reply.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw new UnmarshalException("Error unmarshaling return", e);
    }
  }

  /** Ends an exchange whose reply has been read. */
  static void end(CallInput reply) throws RemoteException {
    Object watched = reply.takeAttachment();
    try {
      reply.lender().finish();
    } catch (IOException e) {
      ended(watched, e);
      throw new UnmarshalException("error unmarshalling return", e);
    }
    ended(watched, null);
  }

  /** As stock RMI shows it: there the stream itself says that it was aborted. */
  private static UnmarshalException resultLost(Throwable why) {
    Exception cause;
    if (why instanceof Exception) {
      cause = (Exception) why;
    } else if (why instanceof Error) {
      cause = new ServerError("Error occurred in server thread", (Error) why);
    } else {
      cause = new RemoteException("the server has thrown what is no Exception and no Error", why);
    }
    return new UnmarshalException(
        "error unmarshalling return", new WriteAbortedException("writing aborted", cause));
  }

  /**
   * Gives the reply back, and makes the exception of a result that cannot be read; rethrows errors.
   */
  static RemoteException unreadable(CallInput reply, Throwable error) {
    Throwable problem = error instanceof InternalError loss ? reply.lender().lossBy(loss) : error;
    Object watched = reply.takeAttachment();
    reply.lender().abandon();
    ended(watched, problem);
    CallDeadline deadline = watched == null ? null : ((WatchedCall) watched).deadline();
    if (deadline != null && deadline.hasPassed() && problem instanceof IOException) {
      RemoteException late =
          new UnmarshalException("error unmarshalling return", (IOException) problem);
      return deadline.passed(String.valueOf(watched), late);
    }
    if (problem instanceof Error) {
      throw (Error) problem;
    }
    if (problem instanceof UnmarshalException) {
      return (UnmarshalException) problem;
    }
    if (problem instanceof RuntimeException) {
      throw (RuntimeException) problem;
    }
    return new UnmarshalException("error unmarshalling return", (Exception) problem);
  }

  private static void ended(@Nullable Object watched, @Nullable Throwable problem) {
    if (watched != null) {
      ((WatchedCall) watched).ended(problem);
    }
  }
}
