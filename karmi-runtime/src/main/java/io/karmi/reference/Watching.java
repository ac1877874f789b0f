package io.karmi.reference;

import io.karmi.events.Recorder;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.technology.CallWatcher;
import io.karmi.technology.InCall;
import io.karmi.technology.WatchedCall;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells interceptors and the flight recorder of the calls of a node. Thread-safe. */
final class Watching implements CallWatcher {
  private static final Recorder RECORDER = Recorder.instance();
  private static final System.Logger LOG = System.getLogger(CallInterceptor.class.getName());

  private volatile CallInterceptor[] interceptors = {};

  /** Whether there are any; so that neither they nor their array need be looked at. */
  private volatile boolean intercepts;

  synchronized void add(CallInterceptor interceptor) {
    CallInterceptor[] more = Arrays.copyOf(interceptors, interceptors.length + 1);
    more[more.length - 1] = interceptor;
    interceptors = more;
    intercepts = true;
  }

  /** Whether there is an interceptor. */
  boolean intercepts() {
    return intercepts;
  }

  /** Whether anybody wants to know of calls that come in; asked before each. */
  boolean isOn() {
    return intercepts || RECORDER.recordsCalls();
  }

  @Override
  public WatchedCall leaving(ObjectId target, RemoteInterface type, int methodNumber) {
    Call call = new Call(target, type, methodNumber, String.valueOf(target.node()));
    Watched watched = new Watched(call, false, new LinkedHashMap<>());
    for (CallInterceptor each : interceptors) {
      watched.told(() -> each.calling(call, watched.header));
    }
    return watched;
  }

  /** A call has come in. What this throws is the call's outcome. */
  WatchedCall came(InCall in, ObjectId target, RemoteInterface type, int methodNumber) {
    Call call = new Call(target, type, methodNumber, in.clientHost());
    Watched watched = new Watched(call, true, in.header());
    for (CallInterceptor each : interceptors) {
      watched.told(() -> each.called(call, watched.header));
    }
    return watched;
  }

  private interface Telling {
    CallInterceptor.@Nullable Ended tell();
  }

  private final class Watched implements WatchedCall {
    private final Call call;
    private final Map<String, String> header;
    private final @Nullable Object event;
    private final CallInterceptor.Ended[] waiting =
        new CallInterceptor.Ended[interceptors.length + 1];
    private int count;

    Watched(Call call, boolean served, Map<String, String> header) {
      this.call = call;
      this.header = header;
      event = RECORDER.recordsCalls() ? RECORDER.beginCall(served) : null;
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
    public void ended(@Nullable Throwable problem) {
      while (count > 0) {
        try {
          waiting[--count].ended(problem);
        } catch (RuntimeException e) {
          LOG.log(System.Logger.Level.WARNING, "an interceptor failed at the end of " + call, e);
        }
      }
      if (event != null) {
        RECORDER.endCall(
            event,
            Long.toHexString(call.object().number()),
            call.interfaceName(),
            call.method(),
            call.peer(),
            problem);
      }
    }
  }
}
