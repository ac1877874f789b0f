package io.karmi.uka.platform;

import io.karmi.settings.Settings;

/**
 * Switch of code generation at run time: the system property {@code karmi.codegen} is {@code off}
 * for JVMs that allow no new classes, and for programs that are compiled ahead of time. Then
 * reflection is used, which is slower; woven classes need neither.
 */
public final class CodeGeneration {
  /** A constant for compiled code. */
  public static final boolean IS_OFF =
      Permitted.isNeeded() ? Permitted.get(() -> isOff()) : isOff();

  private CodeGeneration() {}

  private static boolean isOff() {
    return Settings.CODE_GENERATION.is("off");
  }
}
