package io.karmi.guard;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Room that is left on the stack of a thread. Peers must not have a thread come to its end: a
 * connection is not closed to its end there, and a class whose initializer meets a {@link
 * StackOverflowError} cannot be used for the rest of the JVM's life, those of the JDK that tell
 * where an exception was thrown included. Nor may the stack of a virtual thread, which is in the
 * heap, get longer and longer.
 */
public final class StackRoom {
  /**
   * Depth of a recursion that needs what has to be left: 35 bytes a call, or 145 in the
   * interpreter.
   */
  private static final int FRAMES = 2500;

  /**
   * Calls back within each other of a virtual thread: about as many as other threads have room for.
   */
  private static final int MOST_OF_VIRTUAL = 200;

  /** Null before JDK 21. */
  private static final @Nullable Method IS_VIRTUAL = isVirtual();

  private StackRoom() {}

  /**
   * Whether this thread has some ninety KB left, with which it can read a call and answer it.
   *
   * @param nesting how many calls back it executes within each other
   */
  public static boolean isLeft(int nesting) {
    try {
      if (IS_VIRTUAL != null && Boolean.TRUE.equals(IS_VIRTUAL.invoke(Thread.currentThread()))) {
        return nesting <= MOST_OF_VIRTUAL;
      }
      descend(FRAMES, 1, 2);
      return true;
    } catch (StackOverflowError | ReflectiveOperationException e) {
      return false;
    }
  }

  private static long descend(int frames, long one, long other) {
    return frames == 0 ? one : descend(frames - 1, other, one + frames) ^ one ^ other;
  }

  private static @Nullable Method isVirtual() {
    try {
      return Thread.class.getMethod("isVirtual");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
