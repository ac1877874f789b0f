package io.karmi.reference;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.InCall;
import java.io.IOException;
import java.io.NotSerializableException;
import java.rmi.AccessException;
import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Replies to calls that have no result. */
final class Replies {
  /** Stock RMI's setting of this name, which hides the server's inner structure from clients. */
  private static final boolean SUPPRESS_STACK_TRACES =
      Privileged.get(() -> Boolean.getBoolean("sun.rmi.server.suppressStackTraces"));

  private static final String PACKAGE = Replies.class.getPackageName() + '.';

  /** Methods of this name, in this package, execute a call by a thread that is within another. */
  private static final String WITHIN = "executeWithin";

  private Replies() {}

  /**
   * Initializes this class before the first call: its failure may be that there is no memory or no
   * stack left, and a class that cannot be initialized then never is.
   */
  static void prepare() {}

  /** Replies to a call that has failed, at any point. */
  static void failed(InCall call, Throwable e) throws IOException {
    CallLog.failed(call, e);
    if (call.out().isReplyBegun()) {
      lost(call, e);
    } else if (call.in().isArgumentsEnded()) {
      thrown(call, asSeenByClient(e));
    } else {
      call.in().abandonMessage();
      thrown(call, asSeenByClient(argumentProblem(e)));
    }
  }

  private static Throwable argumentProblem(Throwable e) {
    boolean unreadable = e instanceof IOException || e instanceof ClassNotFoundException;
    return !unreadable || e instanceof UnmarshalException || e instanceof AccessException
        ? e
        : new UnmarshalException("error unmarshalling arguments", (Exception) e);
  }

  private static Throwable asSeenByClient(Throwable e) {
    if (e instanceof Error) {
      return new ServerError("Error occurred in server thread", (Error) e);
    }
    return e instanceof RemoteException
        ? new ServerException("RemoteException occurred in server thread", (Exception) e)
        : e;
  }

  /** Replies with an exception; if that cannot be sent, with the reason why not. */
  static void thrown(InCall call, Throwable thrown) throws IOException {
    CallOutput out = call.out();
    if (SUPPRESS_STACK_TRACES) {
      forgetStackTraces(thrown);
    }
    try {
      if (call.nesting() > 0) {
        endTraces(thrown);
      }
      out.beginReply(CallOutput.THROWN);
      out.writeObject(thrown);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      lost(call, e);
    }
  }

  private static void forgetStackTraces(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Throwable each = thrown; each != null && seen.add(each); each = each.getCause()) {
      each.setStackTrace(new StackTraceElement[0]);
    }
  }

  /**
   * Ends stack traces where the call begins: a local call, and one that comes while a thread waits
   * for a reply, have been executed by a thread that was in the middle of something else.
   */
  static void endTraces(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<Throwable> waiting = new ArrayDeque<>();
    waiting.add(thrown);
    for (Throwable each = waiting.poll(); each != null; each = waiting.poll()) {
      if (seen.add(each)) {
        each.setStackTrace(ofThisCall(each.getStackTrace()));
        Collections.addAll(waiting, each.getSuppressed());
        if (each.getCause() != null) {
          waiting.add(each.getCause());
        }
      }
    }
  }

  /** The frames of the innermost call that a thread executes: the others were sent by their own. */
  static StackTraceElement[] ofThisCall(StackTraceElement[] frames) {
    for (int i = 0; i < frames.length; i++) {
      if (frames[i].getMethodName().equals(WITHIN)
          && frames[i].getClassName().startsWith(PACKAGE)) {
        return Arrays.copyOf(frames, i);
      }
    }
    return frames;
  }

  private static void lost(InCall call, Throwable reason) throws IOException {
    call.discardReply();
    CallOutput out = call.out();
    try {
      out.beginReply(CallOutput.RESULT_LOST);
      out.writeObject(reason);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      call.discardReply();
      out.beginReply(CallOutput.RESULT_LOST);
      out.writeObject(new NotSerializableException(reason.toString()));
    }
  }

  /** Replies that nothing is exported under the number that was called. */
  static void noSuchObject(InCall call) throws IOException {
    call.failed();
    call.in().abandonMessage();
    thrown(call, new NoSuchObjectException("no such object in table"));
  }

  /** Replies that the thread has no stack left for the call, nothing of which is executed. */
  static void tooDeep(InCall call) throws IOException {
    call.failed();
    call.in().abandonMessage();
    String reason = "the stack has no room for " + call.nesting() + " calls back within each other";
    thrown(call, asSeenByClient(new StackOverflowError(reason)));
  }

  /**
   * Replies that the node ends. Nothing of the call is executed, so that its caller may go
   * elsewhere.
   */
  static void shuttingDown(InCall call, NodeId node) throws IOException {
    call.in().abandonMessage();
    thrown(
        call,
        new ConnectException(
            "node "
                + node
                + " is shutting down and has not executed this call: call another replica, or"
                + " again when it is back"));
  }
}
