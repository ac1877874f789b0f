package io.karmi.retrofit.boot;

/** Stops a JVM that was given another JDK's patch. Called by the patched classes themselves. */
public final class PatchedJdk {
  private PatchedJdk() {}

  /** How a JDK is known; what patched classes carry. */
  public static String thisJdk() {
    return System.getProperty("java.vm.vendor") + " " + Runtime.version();
  }

  /**
   * Does nothing on the JDK that the patch was made from.
   *
   * @throws UnsupportedClassVersionError on any other
   */
  public static void check(String patched) {
    String running = thisJdk();
    if (!patched.equals(running)) {
      throw new UnsupportedClassVersionError(
          "karmi: the boot path patch was made from JDK "
              + patched
              + ", but this is JDK "
              + running
              + "; run karmi-retrofit --boot with this JDK");
    }
  }
}
