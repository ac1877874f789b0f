package io.karmi.guard;

/**
 * Room that is left on the stack of a thread. Peers must not have a thread come to its end: a
 * connection is not closed to its end there, and a class whose initializer meets a {@link
 * StackOverflowError} cannot be used for the rest of the JVM's life, those of the JDK that tell
 * where an exception was thrown included.
 */
public final class StackRoom {
  /**
   * Depth of a recursion that needs what has to be left: 35 bytes a call, or 145 in the
   * interpreter.
   */
  private static final int FRAMES = 2500;

  private StackRoom() {}

  /** Whether this thread has some ninety KB left, with which it can read a call and answer it. */
  public static boolean isLeft() {
    try {
      descend(FRAMES, 1, 2);
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  private static long descend(int frames, long one, long other) {
    return frames == 0 ? one : descend(frames - 1, other, one + frames) ^ one ^ other;
  }
}
