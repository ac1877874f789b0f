package io.karmi.stock;

import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.stream.Stream;

/** Recognition of the object streams of stock RMI's calls, from outside and from within. */
final class StockCalls {
  private static final StackWalker STACK = StackWalker.getInstance();

  private static final String STREAM = "sun.rmi.transport.ConnectionOutputStream";

  private StockCalls() {}

  static boolean isStream(Object stream) {
    return stream.getClass().getName().equals(STREAM);
  }

  /**
   * Whether a stream of stock RMI's is writing what this thread replaces.
   *
   * <p>An object that replaces itself is not told which stream asks it to. But the method that has
   * called the stream is on the stack, behind the stream's own frames and, between these, those of
   * objects that write themselves.
   */
  static boolean isWriting() {
    return STACK.walk(StockCalls::isCalledByStock);
  }

  private static boolean isCalledByStock(Stream<StackFrame> frames) {
    Iterator<StackFrame> callers = frames.iterator();
    boolean inStream = true;
    boolean first = true;
    while (callers.hasNext()) {
      String type = callers.next().getClassName();
      if (first && isOwn(type)) {
        continue;
      }
      if (type.startsWith("sun.rmi.")) {
        return inStream;
      }
      inStream = type.startsWith("java.io.Object");
      if (first && !inStream) {
        return false; // one of KaRMI's streams
      }
      first = false;
    }
    return false;
  }

  private static boolean isOwn(String type) {
    return type.startsWith("io.karmi.stub.")
        || type.startsWith("io.karmi.stock.")
        || type.startsWith("io.karmi.registry.");
  }
}
