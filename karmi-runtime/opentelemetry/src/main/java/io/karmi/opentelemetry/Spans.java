package io.karmi.opentelemetry;

import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Message;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans of calls: of the caller a CLIENT span, within the one that is current, and of the
 * callee a SERVER span, within the caller's. Names and attributes are those of the JDK's RMI in
 * OpenTelemetry's Java agent.
 *
 * <p>Requests have such spans, too, and messages a PRODUCER and a CONSUMER span. Their names and
 * attributes are those of OpenTelemetry's conventions for messaging; the destination is the class
 * of the message, as receivers are registered by it. Thread-safe.
 */
final class Spans implements CallInterceptor {
  /** Name of the instrumentation scope, the same for all RMI. */
  private static final String SCOPE = "io.opentelemetry.rmi";

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system");
  private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("rpc.service");
  private static final AttributeKey<String> METHOD = AttributeKey.stringKey("rpc.method");

  /** Name of the instrumentation scope of messages. */
  private static final String MESSAGING_SCOPE = "io.karmi.messaging";

  private static final AttributeKey<String> MESSAGING_SYSTEM =
      AttributeKey.stringKey("messaging.system");
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("messaging.operation.name");
  private static final AttributeKey<String> OPERATION_TYPE =
      AttributeKey.stringKey("messaging.operation.type");
  private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  /** The agent makes no spans for it either. */
  private static final String REGISTRY = "java.rmi.registry.Registry";

  /** Most characters of an entry, as a header has at most 16 KiB. */
  private static final int MAXIMUM_CHARACTERS = 8192;

  private static final TextMapSetter<Map<String, String>> SETTER =
      (header, key, value) -> {
        if (header != null && value.length() <= MAXIMUM_CHARACTERS) {
          header.put(key, value);
        }
      };

  private static final TextMapGetter<Map<String, String>> GETTER =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // agents in use ask for them
        public Iterable<String> keys(Map<String, String> header) {
          return header.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> header, String key) {
          return header == null ? null : header.get(key);
        }
      };

  private final ImplementingClass implementing = new ImplementingClass();

  /** Ensures that OpenTelemetry's classes are there. */
  Spans() {
    if (Context.root() == null) {
      throw new IllegalStateException("no context");
    }
  }

  @Override
  public Ended calling(Call call, Map<String, String> header) {
    String service = call.declaringInterface();
    if (!isTraced(service)) {
      return Ended.UNHEARD;
    }
    OpenTelemetry telemetry = telemetry();
    Context current = Context.current();
    Span span = begin(telemetry, service, call, SpanKind.CLIENT, current);
    inject(telemetry, current.with(span), header);
    return problem -> end(span, problem);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed by what is returned, when the call has ended
  public Ended called(Call call, Map<String, String> header) {
    if (!isTraced(call.declaringInterface())) {
      return Ended.UNHEARD;
    }
    OpenTelemetry telemetry = telemetry();
    Context caller = extract(telemetry, header);
    Span span = begin(telemetry, serviceOf(call), call, SpanKind.SERVER, caller);
    return new Served(problem -> end(span, problem), caller.with(span).makeCurrent());
  }

  @Override
  public Ended sending(Message message, Map<String, String> header) {
    OpenTelemetry telemetry = telemetry();
    Context current = Context.current();
    boolean request = message.isRequest();
    SpanKind kind = request ? SpanKind.CLIENT : SpanKind.PRODUCER;
    Span span = begin(telemetry, request ? "request" : "send", "send", message, kind, current);
    inject(telemetry, current.with(span), header);
    return problem -> endMessage(span, problem);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed by what is returned, when it is handled
  public Ended received(Message message, Map<String, String> header) {
    OpenTelemetry telemetry = telemetry();
    Context sender = extract(telemetry, header);
    SpanKind kind = message.isRequest() ? SpanKind.SERVER : SpanKind.CONSUMER;
    Span span = begin(telemetry, "process", "process", message, kind, sender);
    return new Served(problem -> endMessage(span, problem), sender.with(span).makeCurrent());
  }

  private static void inject(OpenTelemetry telemetry, Context context, Map<String, String> header) {
    telemetry.getPropagators().getTextMapPropagator().inject(context, header, SETTER);
  }

  private static Context extract(OpenTelemetry telemetry, Map<String, String> header) {
    return telemetry
        .getPropagators()
        .getTextMapPropagator()
        .extract(Context.root(), header, GETTER);
  }

  private static boolean isTraced(String declaringInterface) {
    return !declaringInterface.isEmpty() && !declaringInterface.equals(REGISTRY);
  }

  private String serviceOf(Call call) {
    Class<?> target = call.target();
    return target == null
        ? call.declaringInterface()
        : implementing.nameOf(target, call.method(), call.declaringInterface());
  }

  /**
   * What the program or OpenTelemetry's agent has registered. Asked for at each call, and without
   * registering anything: a program may register its own later.
   */
  private static OpenTelemetry telemetry() {
    try {
      return GlobalOpenTelemetry.getOrNoop();
    } catch (NoSuchMethodError e) { // before 1.57
      return GlobalOpenTelemetry.get();
    }
  }

  private static Span begin(
      OpenTelemetry telemetry, String service, Call call, SpanKind kind, Context parent) {
    String signature = call.method();
    int end = signature.indexOf('(');
    String method = end < 0 ? signature : signature.substring(0, end);
    SpanBuilder span = telemetry.getTracer(SCOPE).spanBuilder(service + '/' + method);
    span.setSpanKind(kind).setParent(parent);
    span.setAttribute(SYSTEM, "java_rmi");
    span.setAttribute(SERVICE, service);
    span.setAttribute(METHOD, method);
    return span.startSpan();
  }

  private static Span begin(
      OpenTelemetry telemetry,
      String operation,
      String operationType,
      Message message,
      SpanKind kind,
      Context parent) {
    String destination = message.type().getName();
    SpanBuilder span =
        telemetry.getTracer(MESSAGING_SCOPE).spanBuilder(operation + ' ' + destination);
    span.setSpanKind(kind).setParent(parent);
    span.setAttribute(MESSAGING_SYSTEM, "karmi");
    span.setAttribute(DESTINATION, destination);
    span.setAttribute(OPERATION, operation);
    span.setAttribute(OPERATION_TYPE, operationType);
    return span.startSpan();
  }

  private static void endMessage(Span span, @Nullable Throwable problem) {
    if (problem != null) {
      span.setAttribute(ERROR_TYPE, problem.getClass().getName());
    }
    end(span, problem);
  }

  private static void end(Span span, @Nullable Throwable problem) {
    if (problem != null) {
      span.setStatus(StatusCode.ERROR);
      span.recordException(problem);
    }
    span.end();
  }

  /** What is executed: its span is current in the thread that executes it. */
  private static final class Served implements Ended {
    private final Ended end;
    private final Scope scope;

    Served(Ended end, Scope scope) {
      this.end = end;
      this.scope = scope;
    }

    @Override
    public void suspended() {
      scope.close();
    }

    @Override
    public void ended(@Nullable Throwable problem) {
      scope.close(); // a second time has no effect
      end.ended(problem);
    }
  }
}
