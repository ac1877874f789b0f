package io.karmi.difference.programs;

import java.util.concurrent.Callable;

/** Turns outcomes into text without anything that differs from run to run. */
public final class Observe {
  /** What may throw anything. */
  public interface Action {
    void run() throws Exception;
  }

  private Observe() {}

  /** The result, or what was thrown. */
  public static String outcome(Callable<?> call) {
    try {
      return String.valueOf(call.call());
    } catch (Throwable e) {
      return thrown(e);
    }
  }

  /** {@code done}, or what was thrown. */
  public static String outcomeOf(Action action) {
    return outcome(
        () -> {
          action.run();
          return "done";
        });
  }

  /** The class and the causes of an exception. */
  public static String thrown(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      text.append(text.length() == 0 ? "" : " <- ").append(each.getClass().getName());
    }
    return text.toString();
  }

  /** The class, the message and the causes with theirs. */
  public static String inFull(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      String message = String.valueOf(each.getMessage());
      text.append(text.length() == 0 ? "" : " <- ")
          .append(each.getClass().getName())
          .append(": ")
          .append(message.replaceAll("\\s+", " "));
    }
    return text.toString();
  }
}
