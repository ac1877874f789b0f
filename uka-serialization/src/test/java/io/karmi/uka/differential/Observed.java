package io.karmi.uka.differential;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * What a program saw while it ran in one {@link World}.
 *
 * <p>Programs run one after another; all threads of a program report to the same list.
 */
public final class Observed {

  /** Something a program does that may fail. */
  @FunctionalInterface
  public interface Action {
    void run() throws Exception;
  }

  /** {@code -Dobserved.trace=true} shows where the noted exceptions come from. */
  private static final boolean TRACES = Boolean.getBoolean("observed.trace");

  private static final Pattern IDENTITY_HASH = Pattern.compile("@[0-9a-f]{4,}");
  private static final Pattern MADE_AT_RUN_TIME =
      Pattern.compile("\\$\\$Lambda[$/0-9a-fx]*|(?:jdk\\.proxy\\d+\\.)?\\$Proxy\\d+");
  private static final Pattern OUR_STREAM =
      Pattern.compile("io\\.karmi\\.uka\\.(differential\\.)?[A-Z]\\w*(Object(?:In|Out)putStream)");

  private static final String EXCEPTION_OF_NEW_CLASS = "7b7372";

  private static volatile Observed current = new Observed(World.JDK);

  private final World world;
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final List<String> bytes = Collections.synchronizedList(new ArrayList<>());

  private Observed(World world) {
    this.world = world;
  }

  /** Runs a program and returns what it observed. */
  static Observed run(World world, Action program) throws Exception {
    Observed observed = new Observed(world);
    current = observed;
    program.run();
    return observed;
  }

  List<String> events() {
    return List.copyOf(events);
  }

  List<String> bytes() {
    return List.copyOf(bytes);
  }

  static World world() {
    return current.world;
  }

  /** Notes that something happened, such as the call of a hook. */
  public static void event(String what) {
    current.events.add(normalized(what));
  }

  /** Notes a value with everything reachable from it, and returns the value. */
  public static <T> T see(String label, T value) {
    event(label + " = " + Graph.describe(value));
    return value;
  }

  /**
   * Notes bytes that went out; compared only between worlds that write the JDK's format, and up to
   * the first failed write, since what a stream tells of that has a stack trace in it.
   */
  public static void bytes(String label, byte[] written) {
    String shown = HexFormat.of().formatHex(written);
    int failure = shown.indexOf(EXCEPTION_OF_NEW_CLASS);
    current.bytes.add(label + " = " + (failure < 0 ? shown : shown.substring(0, failure)));
  }

  /**
   * Notes the result, or the exception with its message and causes. The result is null after an
   * exception.
   */
  public static <T> T attempt(String label, Callable<T> action) {
    return attempt(label, true, action);
  }

  /** As {@link #attempt}, for an action without a result. */
  public static void attemptTo(String label, Action action) {
    attempt(label, true, withoutResult(action));
  }

  /**
   * Notes the result, or the types of the exception and its causes: where the message is not part
   * of the contract.
   */
  public static <T> T attemptType(String label, Callable<T> action) {
    return attempt(label, false, action);
  }

  /** As {@link #attemptType}, for an action without a result. */
  public static void attemptTypeTo(String label, Action action) {
    attempt(label, false, withoutResult(action));
  }

  private static Callable<String> withoutResult(Action action) {
    return () -> {
      action.run();
      return "done";
    };
  }

  private static <T> T attempt(String label, boolean withMessage, Callable<T> action) {
    try {
      return see(label, action.call());
    } catch (AssertionError e) {
      throw e;
    } catch (Throwable e) {
      if (TRACES) {
        e.printStackTrace();
      }
      event(label + " ! " + thrown(e, withMessage));
      return null;
    }
  }

  private static String thrown(Throwable thrown, boolean withMessage) {
    StringBuilder text = new StringBuilder();
    for (Throwable e = thrown; e != null; e = e.getCause()) {
      text.append(text.length() == 0 ? "" : " <- ").append(e.getClass().getName());
      boolean messageIsTheVirtualMachines = e instanceof NullPointerException;
      if (withMessage && !messageIsTheVirtualMachines) {
        text.append(": ").append(e.getMessage());
      }
    }
    return text.toString();
  }

  private static String normalized(String text) {
    String withoutHashes = IDENTITY_HASH.matcher(text).replaceAll("@hash");
    String withoutNumbers = MADE_AT_RUN_TIME.matcher(withoutHashes).replaceAll("made at run time");
    return OUR_STREAM.matcher(withoutNumbers).replaceAll("java.io.$2");
  }
}
