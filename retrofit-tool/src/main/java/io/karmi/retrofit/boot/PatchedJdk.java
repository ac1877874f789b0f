package io.karmi.retrofit.boot;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** Version check of the boot path: a patched class runs only on the JDK that it was made from. */
public final class PatchedJdk {
  private PatchedJdk() {}

  /** Vendor and version of this JDK, as stored in patched classes. */
  public static String thisJdk() {
    return vendor() + " " + Runtime.version();
  }

  /**
   * Privileged, since a program under a security manager may lack the permission to read the
   * property.
   */
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
   * Compares the JDK that a patch was made from with the running one.
   *
   * @throws UnsupportedClassVersionError if they differ
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
