package io.karmi.stub;

/**
 * Whether the current thread accepts stubs none of whose interfaces it can see.
 *
 * <p>A registry does: it only keeps and forwards them, so that it needs no class of the
 * applications it serves. Everybody else gets the {@link ClassNotFoundException} that says what is
 * missing.
 */
public final class UnknownInterfaces {
  private static final ThreadLocal<Boolean> ACCEPTED = new ThreadLocal<>();

  private UnknownInterfaces() {}

  /** Accepts them from now on, until {@link #refuse}. */
  public static void accept() {
    ACCEPTED.set(Boolean.TRUE);
  }

  /** Refuses them, as every thread does that has not said otherwise. */
  public static void refuse() {
    ACCEPTED.remove();
  }

  static boolean areAccepted() {
    return ACCEPTED.get() != null;
  }
}
