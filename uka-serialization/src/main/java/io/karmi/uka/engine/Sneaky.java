package io.karmi.uka.engine;

/** Checked exceptions where a signature has none. */
public final class Sneaky {
  private Sneaky() {}

  /** Throws a checked exception where the signature of an older JDK has none. */
  @SuppressWarnings("unchecked")
  public static <T extends Throwable> T sneak(Throwable exception) throws T {
    throw (T) exception;
  }
}
