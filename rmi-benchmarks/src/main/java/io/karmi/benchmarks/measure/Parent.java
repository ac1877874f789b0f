package io.karmi.benchmarks.measure;

import java.io.IOException;

/**
 * The process that has started this JVM, and holds its input open. A JVM on another host is not
 * ended with the shell that started it; so it ends itself when its input ends.
 */
public final class Parent {
  private static volatile boolean ended;

  private Parent() {}

  /** Ends this JVM when the parent is gone; does not wait for it. */
  public static void endWithIt() {
    Thread thread = new Thread(Parent::await, "parent");
    thread.setDaemon(true);
    thread.start();
  }

  /** From now on the JVM ends by itself: by its last thread. */
  public static void stopWaiting() {
    ended = true;
  }

  private static void await() {
    try {
      while (System.in.read() >= 0) {
        /* Nothing is written to a server. */
      }
    } catch (IOException e) {
      /* As if it had ended. */
    }
    if (!ended) {
      Runtime.getRuntime().halt(3);
    }
  }
}
