package io.karmi.reference;

import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import java.lang.System.Logger.Level;
import java.util.Map;

/**
 * Log of KaRMI's calls in the loggers of stock RMI's, once an operator has turned one of these on:
 * by the level of {@code sun.rmi.client.call} or {@code sun.rmi.server.call}, or with {@code
 * sun.rmi.client.logCalls}. Before that the loggers are not asked, as that takes too long for every
 * call. Thread-safe.
 */
final class LoggedCalls implements CallInterceptor {
  private static final String MADE = "sun.rmi.client.call";

  private final System.Logger served = System.getLogger(CallLog.SERVED);
  private final System.Logger made = System.getLogger(MADE);

  /** The log of a node's calls. */
  LoggedCalls() {
    if (Boolean.getBoolean("sun.rmi.client.logCalls")) {
      letStockSetUp();
    }
  }

  /** The class of stock RMI that gives the logger its level and its handler. */
  private static void letStockSetUp() {
    try {
      Class.forName("sun.rmi.server.UnicastRef", true, null);
    } catch (ClassNotFoundException e) {
      System.getLogger(LoggedCalls.class.getName())
          .log(Level.INFO, "sun.rmi.client.logCalls: set the level of " + MADE + " instead", e);
    }
  }

  /** Whether one of these loggers is turned on. */
  boolean areWanted() {
    return made.isLoggable(Level.DEBUG) || served.isLoggable(Level.DEBUG);
  }

  @Override
  public Ended calling(Call call, Map<String, String> header) {
    if (made.isLoggable(Level.TRACE)) {
      made.log(Level.TRACE, thread() + "outbound call: " + call);
    }
    return problem -> {
      if (problem != null) {
        String peer = call.peer();
        made.log(
            Level.DEBUG,
            thread() + "outbound call received exception: [" + peer + "] exception: ",
            problem);
      }
    };
  }

  /** What {@link CallLog} does not write, because no program has asked for it. */
  @Override
  public Ended called(Call call, Map<String, String> header) {
    if (CallLog.isOn()) {
      return Ended.UNHEARD;
    }
    if (served.isLoggable(Level.TRACE)) {
      Class<?> target = call.target();
      if (target == null) {
        CallLog.came(call.peer(), call.interfaceName(), call.objectNumber(), call.method());
      } else {
        CallLog.came(call.peer(), target, call.objectNumber(), call.method());
      }
    }
    return problem -> {
      if (problem != null) {
        CallLog.failed(call.peer(), problem);
      }
    };
  }

  private static String thread() {
    return Thread.currentThread().getName() + ": ";
  }
}
