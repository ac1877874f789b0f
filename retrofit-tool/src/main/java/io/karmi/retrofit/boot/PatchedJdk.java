package io.karmi.retrofit.boot;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Check by patched classes that they run on the JDK that they were made from. */
public final class PatchedJdk {
  private PatchedJdk() {}

  /** Identification of this JDK, which patched classes carry. */
  public static String thisJdk() {
    return vendor() + " " + Runtime.version();
  }

  /** A program that uses java.rmi under a security manager need not be permitted to ask. */
  @SuppressWarnings("removal")
  private static String vendor() {
    return AccessController.doPrivileged(
        new PrivilegedAction<String>() {
          @Override
          public String run() {
            return System.getProperty("java.vm.vendor");
          }
        });
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
