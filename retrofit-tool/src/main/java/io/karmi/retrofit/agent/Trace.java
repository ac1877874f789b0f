package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rules.RetrofitOptions;

/** Messages of the agent on standard error: failures always, changes on demand. */
final class Trace {
  private Trace() {}

  static void of(String internalName, Outcome outcome, RetrofitOptions options) {
    if (!options.trace()) {
      return;
    }
    for (String change : outcome.changes()) {
      say(internalName, change);
    }
    String remark = outcome.remark();
    if (remark != null) {
      say(internalName, remark);
    }
  }

  static void failed(String internalName, Throwable cause) {
    say(internalName, "left as it is, rewiring failed: " + cause);
  }

  static void refused(String internalName, Throwable cause) {
    say(internalName, "not loaded, rewiring failed: " + cause);
  }

  private static void say(String internalName, String text) {
    System.err.println("karmi: " + internalName.replace('/', '.') + ": " + text);
  }
}
