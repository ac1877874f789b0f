package io.karmi.uka.platform;

/**
 * Whether classes may be made at run time: unless the system property {@code karmi.codegen} is
 * {@code off}, for JVMs that allow no new classes and for programs that are compiled ahead of time.
 * Then reflection does what generated classes do, slower; classes that have been woven need
 * neither.
 */
public final class CodeGeneration {
  /** Asked once: compiled code knows the answer. */
  public static final boolean IS_OFF =
      Permitted.isNeeded() ? Permitted.get(() -> isOff()) : isOff();

  private CodeGeneration() {}

  private static boolean isOff() {
    return "off".equals(System.getProperty("karmi.codegen"));
  }
}
