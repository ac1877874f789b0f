package io.karmi.reference;

import io.karmi.id.ObjectId;
import io.karmi.technology.InCall;
import java.rmi.Remote;
import java.rmi.server.RemoteServer;

/**
 * The log of incoming calls that a program asks for with {@link RemoteServer#setLog}, or an
 * operator with {@code java.rmi.server.logCalls}.
 *
 * <p>It goes to the logger of stock RMI's calls, which those two have set up: calls as details,
 * what they throw a level above. Thread-safe.
 */
final class CallLog {
  private CallLog() {}

  static boolean isOn() {
    return RemoteServer.getLog() != null;
  }

  /** A call is about to be executed. */
  static void came(InCall call, Remote object, ObjectId id, String method) {
    Stock.LOG.log(
        System.Logger.Level.TRACE,
        () ->
            caller(call)
                + ": "
                + object.getClass().getName()
                + "["
                + Long.toHexString(id.number())
                + "]: "
                + method
                + "]");
  }

  /** A call has not got a result. */
  static void failed(InCall call, Throwable problem) {
    Stock.LOG.log(System.Logger.Level.DEBUG, caller(call) + "] exception: ", problem);
  }

  private static String caller(InCall call) {
    return Thread.currentThread().getName() + ": [" + call.clientHost();
  }

  /** Initialized by the first call that is logged. */
  private static final class Stock {
    static final System.Logger LOG = System.getLogger("sun.rmi.server.call");
  }
}
