package io.karmi.stub;

/**
 * Permission of the current thread to accept stubs none of whose interfaces it can see.
 *
 * <p>A registry accepts them: it only keeps and forwards them, so that it needs no class of the
 * applications it serves. Otherwise a {@link ClassNotFoundException} names the missing class.
 */
public final class UnknownInterfaces {
  private static final ThreadLocal<Boolean> ACCEPTED = new ThreadLocal<>();

  private UnknownInterfaces() {}

  /** Accepts them from now on, until {@link #refuse}. */
  public static void accept() {
    ACCEPTED.set(Boolean.TRUE);
  }

  /** Refuses them, which is the default. */
  public static void refuse() {
    ACCEPTED.remove();
  }

  static boolean areAccepted() {
    return ACCEPTED.get() != null;
  }
}
