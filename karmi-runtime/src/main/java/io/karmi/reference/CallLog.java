package io.karmi.reference;

import io.karmi.technology.InCall;
import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.server.RemoteServer;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * The log of incoming calls that a program asks for with {@link RemoteServer#setLog}, or an
 * operator with {@code java.rmi.server.logCalls}; and the exceptions alone, on standard error, with
 * {@code sun.rmi.server.exceptionTrace}.
 *
 * <p>It goes to the logger of stock RMI's calls, which those have set up: calls as details, what
 * they throw a level above. Before there were loggers it was a mere stream, which {@code
 * sun.rmi.log.useOld} brings back. Thread-safe.
 */
final class CallLog {
  /** The logger of stock RMI's calls that come in. */
  static final String SERVED = "sun.rmi.server.call";

  private static final boolean TRACES_EXCEPTIONS =
      Privileged.get(() -> Boolean.getBoolean("sun.rmi.server.exceptionTrace"));

  private static final Method[] NONE = {};

  private CallLog() {}

  static boolean isOn() {
    return RemoteServer.getLog() != null;
  }

  static void came(String caller, Class<?> target, long number, String method) {
    came(caller, target.getName(), number, declaration(target, method));
  }

  static void came(String caller, String target, long number, String method) {
    write(
        System.Logger.Level.TRACE,
        "[" + caller + ": " + target + "[" + Long.toHexString(number) + "]: " + method + "]",
        null);
  }

  /**
   * The method as its remote interface declares it, in the words of reflection, which stock RMI
   * writes, too.
   *
   * @param called its name and descriptor, and the result if no interface has it
   */
  private static String declaration(Class<?> target, String called) {
    for (Class<?> type = target; type != null; type = type.getSuperclass()) {
      for (Class<?> each : type.getInterfaces()) {
        for (Method method : Remote.class.isAssignableFrom(each) ? each.getMethods() : NONE) {
          MethodType types =
              MethodType.methodType(method.getReturnType(), method.getParameterTypes());
          if (called.equals(method.getName() + types.toMethodDescriptorString())) {
            return method.toString();
          }
        }
      }
    }
    return called;
  }

  /** Logs a call that has no result. */
  static void failed(InCall call, Throwable problem) {
    if (isOn()) {
      failed(call.clientHost(), problem);
    }
    if (TRACES_EXCEPTIONS) {
      trace(call, problem);
    }
  }

  /** Logs a call that has no result. */
  static void failed(String caller, Throwable problem) {
    write(System.Logger.Level.DEBUG, "[" + caller + "] exception: ", problem);
  }

  private static void write(
      System.Logger.Level level, String message, @Nullable Throwable problem) {
    PrintStream stream = Stock.IS_STREAM ? RemoteServer.getLog() : null;
    String line = Thread.currentThread().getName() + ": " + message;
    if (!Stock.IS_STREAM) {
      Stock.LOG.log(level, line, problem);
    } else if (stream != null) {
      stream.println(line + (problem == null ? "" : problem));
    }
  }

  private static void trace(InCall call, Throwable problem) {
    PrintStream err = System.err;
    synchronized (err) {
      err.println();
      err.println(
          "Exception dispatching call to ["
              + Long.toHexString(call.objectNumber())
              + "] in thread \""
              + Thread.currentThread().getName()
              + "\" at "
              + new Date()
              + ":");
      problem.printStackTrace(err);
    }
  }

  /** Initialized by the first call that is logged. */
  private static final class Stock {
    static final System.Logger LOG = System.getLogger(SERVED);
    static final boolean IS_STREAM = Privileged.get(() -> Boolean.getBoolean("sun.rmi.log.useOld"));
  }
}
