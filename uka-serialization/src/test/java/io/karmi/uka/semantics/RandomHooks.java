package io.karmi.uka.semantics;

import io.karmi.uka.differential.Observed;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.OptionalDataException;
import java.util.Arrays;

/**
 * What the classes of {@link RandomClasses} tell of the calls they get. One of the calls may fail.
 */
public final class RandomHooks {
  /** What the classes have in common, for fields of this type. */
  public interface Part {}

  /** Reads with the classes of its own loader, as a program of theirs would. */
  public interface Caller {
    ObjectInputStream open(java.io.InputStream in) throws IOException;

    Object read(ObjectInputStream in) throws IOException, ClassNotFoundException;

    Object readUnshared(ObjectInputStream in) throws IOException, ClassNotFoundException;
  }

  /** In the way of {@code readResolve} methods, which return it in place of many objects. */
  public static final Object SHARED = Arrays.asList("shared", 1);

  private static String program = "";
  private static boolean listening;
  private static int callsLeft;
  private static int failure;

  private RandomHooks() {}

  /** Takes notes from now on, in the name of a program. */
  static void listen(String name, int callsUntilFailure, int kindOfFailure) {
    program = name;
    listening = true;
    callsLeft = callsUntilFailure;
    failure = kindOfFailure;
  }

  /** What is called while objects are made is of no interest. */
  static void pause() {
    listening = false;
  }

  static void resume() {
    listening = true;
  }

  static void note(String what) {
    if (listening) {
      Observed.event(program + ": " + what);
    }
  }

  /** A method or constructor has been called. */
  public static void called(String method) {
    note(method);
    if (listening && callsLeft > 0 && --callsLeft == 0) {
      Throwable thrown = failure(method);
      /* It is written, too, and must be the same everywhere. */
      thrown.setStackTrace(new StackTraceElement[0]);
      throw RandomHooks.<RuntimeException>sneak(thrown);
    }
  }

  private static Throwable failure(String method) {
    switch (failure) {
      case 0:
        return new IOException("in " + method);
      case 1:
        return new IllegalStateException("in " + method);
      case 2:
        return new java.io.InvalidObjectException("in " + method);
      case 3:
        return new InterruptedException("in " + method);
      default:
        return new NoClassDefFoundError("in " + method);
    }
  }

  /** A method has read something, which may be half made, so that only its class is told. */
  public static void saw(String where, Object value) {
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      note(where + " " + value);
    } else if (value instanceof byte[] bytes) {
      note(where + " " + Arrays.hashCode(bytes));
    } else {
      note(where + " " + (value == null ? "null" : nameOf(value.getClass())));
    }
  }

  static String nameOf(Class<?> type) {
    return type.isHidden() || java.lang.reflect.Proxy.isProxyClass(type)
        ? Arrays.toString(type.getInterfaces())
        : type.getName();
  }

  /** Reading has failed, as a method expects. */
  public static void failed(String where, IOException e) {
    String more = e instanceof OptionalDataException data ? " " + data.length + " " + data.eof : "";
    note(where + " " + e.getClass().getName() + more);
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
