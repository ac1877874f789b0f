package io.karmi.opentelemetry;

import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Message;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans of each call, message and request where OpenTelemetry's API is on the class path, and
 * does nothing elsewhere. None fails because of its span: after the first failure no more spans are
 * made, and one warning says why. Thread-safe.
 */
public final class TracingInterceptor implements CallInterceptor {
  private static final System.Logger LOG = System.getLogger(TracingInterceptor.class.getName());

  /** Null without the API, and after a failure. */
  private volatile @Nullable CallInterceptor spans;

  /** For the service loader. */
  public TracingInterceptor() {
    try {
      spans = new Spans();
    } catch (LinkageError e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "karmi-opentelemetry.jar makes no spans: opentelemetry-api and opentelemetry-context are"
              + " not on the class path ({0})",
          e.toString());
    }
  }

  @Override
  public Ended calling(Call call, Map<String, String> header) {
    CallInterceptor to = spans;
    return to == null ? Ended.UNHEARD : guarded(() -> to.calling(call, header));
  }

  @Override
  public Ended called(Call call, Map<String, String> header) {
    CallInterceptor to = spans;
    return to == null ? Ended.UNHEARD : guarded(() -> to.called(call, header));
  }

  @Override
  public Ended sending(Message message, Map<String, String> header) {
    CallInterceptor to = spans;
    return to == null ? Ended.UNHEARD : guarded(() -> to.sending(message, header));
  }

  @Override
  public Ended received(Message message, Map<String, String> header) {
    CallInterceptor to = spans;
    return to == null ? Ended.UNHEARD : guarded(() -> to.received(message, header));
  }

  private Ended guarded(Supplier<Ended> begun) {
    try {
      return begun.get();
    } catch (RuntimeException | LinkageError e) {
      spans = null;
      LOG.log(System.Logger.Level.WARNING, "no more spans are made: OpenTelemetry has failed", e);
      return Ended.UNHEARD;
    }
  }
}
