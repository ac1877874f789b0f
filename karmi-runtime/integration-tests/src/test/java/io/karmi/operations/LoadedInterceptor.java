package io.karmi.operations;

import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Message;
import java.util.Map;

/** Found by the service loader in every JVM of these tests, and silent in most. */
public final class LoadedInterceptor implements CallInterceptor {
  private static final boolean ON = Boolean.getBoolean("karmi.test.loaded");

  /** For the service loader. */
  public LoadedInterceptor() {}

  @Override
  public Ended calling(Call call, Map<String, String> header) {
    if (ON) {
      header.put("loaded", call.method());
    }
    return Ended.UNHEARD;
  }

  @Override
  public Ended called(Call call, Map<String, String> header) {
    if (!ON) {
      return Ended.UNHEARD;
    }
    System.out.println(
        "loaded called " + call.interfaceName() + "." + call.method() + " " + header);
    return problem -> System.out.println("loaded served " + call.method() + " " + problem);
  }

  @Override
  public Ended sending(Message message, Map<String, String> header) {
    if (ON) {
      header.put("loaded", message.type().getSimpleName());
    }
    return Ended.UNHEARD;
  }

  @Override
  public Ended received(Message message, Map<String, String> header) {
    if (ON) {
      System.out.println("loaded received " + message.type().getSimpleName() + " " + header);
    }
    return Ended.UNHEARD;
  }
}
