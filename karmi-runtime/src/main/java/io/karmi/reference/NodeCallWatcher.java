package io.karmi.reference;

import io.karmi.events.Recorder;
import io.karmi.guard.PeerLog;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallAuthorizer;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Caller;
import io.karmi.interceptor.Message;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.CallWatcher;
import io.karmi.technology.ForwardedCall;
import io.karmi.technology.InCall;
import io.karmi.technology.Pipe;
import io.karmi.technology.WatchedCall;
import java.rmi.AccessException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Observation of a node's calls by interceptors, authorizers and the flight recorder. Thread-safe.
 */
final class NodeCallWatcher implements CallWatcher {
  private static final Recorder RECORDER = Recorder.instance();
  private static final System.Logger LOG = System.getLogger(CallInterceptor.class.getName());

  /** Messages, as an authorizer sees them. */
  private static final RemoteInterface MESSAGING =
      new RemoteInterface(
          new String[] {"io.karmi.messaging.Messaging"},
          new String[] {
            "send(Ljava/io/Serializable;)V", "request(Ljava/io/Serializable;)Ljava/lang/Object;"
          },
          new long[] {0, 1});

  private final LongAdder refused = new LongAdder();

  private volatile CallInterceptor[] interceptors = {};

  private volatile CallAuthorizer[] authorizers = {};

  private volatile boolean intercepts;

  /** Whether there is an interceptor or an authorizer; so that their arrays need not be read. */
  private volatile boolean asks;

  /** Milliseconds that each call may take; 0 for ever. */
  private volatile long timeoutMillis;

  /** Limits calls that have no shorter limit. */
  void limitCalls(long millis) {
    timeoutMillis = millis;
  }

  synchronized void add(CallInterceptor interceptor) {
    CallInterceptor[] more = Arrays.copyOf(interceptors, interceptors.length + 1);
    more[more.length - 1] = interceptor;
    interceptors = more;
    intercepts = true;
    asks = true;
  }

  synchronized void add(CallAuthorizer authorizer) {
    CallAuthorizer[] more = Arrays.copyOf(authorizers, authorizers.length + 1);
    more[more.length - 1] = authorizer;
    authorizers = more;
    asks = true;
  }

  boolean authorizes() {
    return authorizers.length > 0;
  }

  long refused() {
    return refused.sum();
  }

  boolean intercepts() {
    return intercepts;
  }

  /** Whether calls that come in are observed; read before each call. */
  boolean isOn() {
    return asks || RECORDER.recordsCalls();
  }

  @Override
  public WatchedCall leaving(ObjectId target, RemoteInterface type, int methodNumber) {
    Call call = new Call(target, type, methodNumber, String.valueOf(target.node()), null);
    Watched watched = new Watched(call, false, new LinkedHashMap<>());
    watched.limit();
    for (CallInterceptor each : interceptors) {
      watched.told(() -> each.calling(call, watched.header));
    }
    watched.limitFurther();
    ForwardedCall.count(target, watched.header);
    return watched;
  }

  /**
   * Called when a call has come in. An exception is the call's outcome.
   *
   * @throws RefusedCallException if the call may not be executed
   */
  WatchedCall came(
      InCall in, ObjectId target, Class<?> implementation, RemoteInterface type, int methodNumber)
      throws RefusedCallException {
    Call call = new Call(target, type, methodNumber, in.clientHost(), implementation);
    AccessException reason = authorizes() ? refusal(call, CallContext.callerOf(in)) : null;
    if (reason != null) {
      throw new RefusedCallException(reason);
    }
    Watched watched = new Watched(call, true, in.header());
    for (CallInterceptor each : interceptors) {
      watched.told(() -> each.called(call, watched.header));
    }
    return watched;
  }

  /** Called before a message or request leaves. An exception fails it. */
  WatchedCall leaves(Message message) {
    Watched watched = new Watched(message, new LinkedHashMap<>());
    for (CallInterceptor each : interceptors) {
      watched.told(() -> each.sending(message, watched.header));
    }
    return watched;
  }

  /** Called before a message or request is handled. An exception is its outcome. */
  WatchedCall came(Message message, Map<String, String> header) {
    Watched watched = new Watched(message, header);
    for (CallInterceptor each : interceptors) {
      watched.told(() -> each.received(message, watched.header));
    }
    return watched;
  }

  /**
   * Called before a message or request of another node is read.
   *
   * @throws AccessException if it may not be
   */
  void authorizeMessage(NodeId own, Pipe from, boolean request) throws AccessException {
    ObjectId messages = new ObjectId(own, ObjectId.MESSAGES);
    Call call = new Call(messages, MESSAGING, request ? 1 : 0, from.peerName(), null);
    AccessException reason = refusal(call, CallContext.callerOf(from));
    if (reason != null) {
      throw reason;
    }
  }

  /** Why a call may not be executed; null if it may. */
  private @Nullable AccessException refusal(Call call, Caller caller) {
    AccessException reason = null;
    for (CallAuthorizer each : authorizers) {
      try {
        each.check(call, caller);
      } catch (AccessException e) {
        reason = e;
      } catch (Throwable e) {
        PeerLog.warn(LOG, caller.host(), "an authorizer failed; refused is " + call, e);
        reason = new AccessException(call + " is refused: who may call it could not be decided");
      }
      if (reason != null) {
        refused.increment();
        LOG.log(System.Logger.Level.DEBUG, "{0} may not call {1}", caller, call);
        return reason;
      }
    }
    return null;
  }

  private interface Telling {
    CallInterceptor.@Nullable Ended tell();
  }

  private final class Watched implements WatchedCall {
    /** A {@link Call} or a {@link Message}. */
    private final Object subject;

    /** Who calls or is called, by whom warnings are limited. */
    private final String peer;

    private final Map<String, String> header;
    private final @Nullable Object event;
    private final CallInterceptor.Ended[] waiting =
        new CallInterceptor.Ended[interceptors.length + 1];
    private int count;
    private @Nullable CallDeadline deadline;

    Watched(Call call, boolean served, Map<String, String> header) {
      this.subject = call;
      peer = call.peer();
      this.header = header;
      event = RECORDER.recordsCalls() ? RECORDER.beginCall(served) : null;
    }

    /** Of messages no event is recorded. */
    Watched(Message message, Map<String, String> header) {
      this.subject = message;
      peer = message.peer();
      this.header = header;
      event = null;
    }

    /**
     * Puts the time that is left of the thread's deadline, or of {@code karmi.callTimeout}, into
     * the header, where interceptors see it.
     */
    void limit() {
      long millis = timeoutMillis;
      CallDeadline own = millis == 0 ? null : CallDeadline.in(millis, "karmi.callTimeout");
      deadline = CallDeadline.sooner(CallDeadline.current(), own);
      if (deadline != null) {
        header.put(CallDeadline.HEADER, String.valueOf(deadline.leftMillis()));
      }
    }

    /** Applies a shorter time that interceptors have put there. */
    void limitFurther() {
      if (intercepts) {
        CallDeadline asked = CallDeadline.sent(header, "an interceptor");
        CallDeadline sooner = CallDeadline.sooner(deadline, asked);
        if (sooner != deadline) {
          deadline = sooner;
        }
        if (deadline != null) {
          header.put(CallDeadline.HEADER, String.valueOf(deadline.leftMillis()));
        }
      }
    }

    @Override
    public @Nullable CallDeadline deadline() {
      return deadline;
    }

    @Override
    public String toString() {
      return subject.toString();
    }

    private void warn(String what, RuntimeException problem) {
      PeerLog.warn(LOG, peer, what + subject, problem);
    }

    /** Those who were told of the beginning are told of the end, also if the next one objects. */
    void told(Telling telling) {
      try {
        CallInterceptor.@Nullable Ended ended = telling.tell();
        if (ended != null && count < waiting.length) {
          waiting[count++] = ended;
        }
      } catch (RuntimeException | Error e) {
        ended(e);
        throw e;
      }
    }

    @Override
    public Map<String, String> header() {
      return header;
    }

    @Override
    public void suspended() {
      for (int i = count - 1; i >= 0; i--) {
        try {
          waiting[i].suspended();
        } catch (RuntimeException e) {
          warn("an interceptor failed at ", e);
        }
      }
    }

    @Override
    public void ended(@Nullable Throwable problem) {
      while (count > 0) {
        try {
          waiting[--count].ended(problem);
        } catch (RuntimeException e) {
          warn("an interceptor failed at the end of ", e);
        }
      }
      if (event != null && subject instanceof Call call) {
        RECORDER.endCall(
            event,
            Long.toHexString(call.objectNumber()),
            call.interfaceName(),
            call.method(),
            call.peer(),
            problem);
      }
    }
  }
}
