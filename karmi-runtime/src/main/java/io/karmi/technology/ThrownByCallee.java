package io.karmi.technology;

/**
 * Carries what the remote method threw through the technology layer, where it is one more kind of
 * result.
 *
 * <p>The {@linkplain #getCause() cause} is a fresh copy of what was thrown at the callee. This
 * wrapper has no stack trace of its own and reaches no application: the reference layer unwraps it.
 */
public final class ThrownByCallee extends Exception {
  private static final long serialVersionUID = 1;

  private final Exception thrown;

  /** Wraps what came as the result of a call. */
  public ThrownByCallee(Exception thrown) {
    super(null, thrown, false, false);
    this.thrown = thrown;
  }

  /** What was thrown; never null. */
  @Override
  public Exception getCause() {
    return thrown;
  }
}
