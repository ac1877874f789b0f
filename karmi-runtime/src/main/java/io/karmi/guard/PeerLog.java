package io.karmi.guard;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Warnings about what peers have caused. Each host may cause some; the rest is logged at the level
 * of details. A peer can add no line to a log, and send nothing to the terminal that shows it: in
 * texts of exceptions, which may have names that it has chosen, control characters are escaped. Nor
 * can it make a log long: of each text the beginning is shown.
 */
public final class PeerLog {
  /** Causes of causes that are shown. */
  private static final int MAXIMUM_CAUSES = 16;

  /** Places of an exception that are shown; one that has been sent may have any number. */
  private static final int MAXIMUM_PLACES = 100;

  /** Characters of a text that are shown. */
  private static final int MAXIMUM_CHARS = 1_000;

  private PeerLog() {}

  /**
   * Warns.
   *
   * @param host whose peer has caused it
   * @param what has happened
   * @param problem null if that says all
   */
  public static void warn(
      System.Logger log, Object host, String what, @Nullable Throwable problem) {
    System.Logger.Level level =
        Ledgers.mayWarn(host) ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG;
    if (log.isLoggable(level)) {
      Shown shown = problem == null ? null : new Shown(problem, MAXIMUM_CAUSES);
      log.log(level, beginning(what), shown);
    }
  }

  /** A text with escapes in the place of control characters. */
  public static String printable(String text) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (Character.isISOControl(each) || each == '\u2028' || each == '\u2029') {
        escaped.append(String.format("\\u%04x", (int) each));
      } else {
        escaped.append(each);
      }
    }
    return escaped.toString();
  }

  /** As {@link #printable}, of the beginning of a text that is long. */
  private static String beginning(String text) {
    int length = text.length();
    return length <= MAXIMUM_CHARS
        ? printable(text)
        : printable(text.substring(0, MAXIMUM_CHARS)) + "... (" + length + " characters)";
  }

  /** An exception as it is logged. */
  private static final class Shown extends Throwable {
    private static final long serialVersionUID = 1;

    Shown(Throwable of, int causes) {
      super(beginning(of.toString()), cause(of, causes), false, true);
      setStackTrace(places(of));
    }

    /* An exception that a peer has sent, as a cause, has places of its choice. */
    private static StackTraceElement[] places(Throwable of) {
      StackTraceElement[] all = of.getStackTrace();
      StackTraceElement[] shown = Arrays.copyOf(all, Math.min(all.length, MAXIMUM_PLACES));
      for (int i = 0; i < shown.length; i++) {
        String text = shown[i].toString();
        String beginning = beginning(text);
        if (!beginning.equals(text)) {
          shown[i] = new StackTraceElement(beginning, "", null, -1);
        }
      }
      return shown;
    }

    private static @Nullable Throwable cause(Throwable of, int causes) {
      Throwable cause = of.getCause();
      return cause == null || causes == 0 ? null : new Shown(cause, causes - 1);
    }

    @Override
    public String toString() {
      return String.valueOf(getMessage());
    }
  }
}
