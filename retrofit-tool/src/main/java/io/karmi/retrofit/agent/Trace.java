package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rules.RetrofitOptions;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Messages of the agent on standard error: what cannot be rewired once for each class, changes on
 * demand.
 */
final class Trace {
  /** Classes that are told one by one: a program may be full of class files that are broken. */
  private static final int MAXIMUM_TOLD = 100;

  private static final Set<String> TOLD = new HashSet<>();

  /** The last class that is to be told of when there is room, and how many others are. */
  private static volatile @Nullable String owed;

  private static final AtomicInteger OTHERS_OWED = new AtomicInteger();

  private Trace() {}

  static void of(String internalName, Outcome outcome, RetrofitOptions options) {
    if (options.trace()) {
      for (String change : outcome.changes()) {
        say(internalName, change);
      }
    }
    String remark = outcome.remark();
    if (remark != null) {
      once(internalName, remark);
    }
  }

  /**
   * A class was loaded where stack or heap was short. It is told with the next one: a line would
   * take more of both, and an error within it might leave a class of the JDK uninitialized for
   * good.
   */
  static void wasShort(String internalName) {
    if (owed != null) {
      OTHERS_OWED.incrementAndGet();
    }
    owed = internalName;
  }

  /** Tells what is owed; there is stack and heap. */
  static void tellOwed() {
    String name = owed;
    if (name != null) {
      owed = null;
      int others = OTHERS_OWED.getAndSet(0);
      String more = others == 0 ? "" : "; so are classes that were loaded before it: " + others;
      once(name, "left as it is, stack or heap was short when it was loaded" + more);
    }
  }

  static void failed(String internalName, Throwable cause) {
    once(internalName, "left as it is, rewiring failed: " + cause);
  }

  /** This agent could not be moved behind those that come later. */
  static void stays(Exception cause) {
    System.err.println(
        "karmi: name this agent behind the others; it cannot let them see classes first: " + cause);
  }

  /** Says it unless it was said of this class already, which several loaders may have. */
  private static void once(String internalName, String text) {
    synchronized (TOLD) {
      if (TOLD.size() > MAXIMUM_TOLD || !TOLD.add(internalName)) {
        return;
      }
      if (TOLD.size() > MAXIMUM_TOLD) {
        System.err.println("karmi: more classes are left as they are, and not named");
        return;
      }
    }
    say(internalName, text);
  }

  private static void say(String internalName, String text) {
    System.err.println("karmi: " + internalName.replace('/', '.') + ": " + text);
  }
}
