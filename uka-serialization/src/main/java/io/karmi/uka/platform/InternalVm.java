package io.karmi.uka.platform;

import jdk.internal.misc.VM;
import org.jspecify.annotations.Nullable;

/**
 * What the JDK's own package {@code jdk.internal.misc} tells of the VM, where it is exported to
 * this library: behind the agent, and on the boot path.
 */
public final class InternalVm {
  private static final boolean IS_OPEN =
      Object.class.getModule().isExported("jdk.internal.misc", InternalVm.class.getModule())
          && hasLatestLoader();

  private InternalVm() {}

  /** Whether the package is exported to this library. */
  public static boolean isOpen() {
    return IS_OPEN;
  }

  /**
   * The loader of the latest user code on the stack; the platform loader if there is none, null if
   * it is not known. The VM's own search passes over frames of the boot and the platform loader,
   * and takes a fraction of the time of a walk.
   */
  public static @Nullable ClassLoader latestLoader() {
    return IS_OPEN ? VM.latestUserDefinedLoader() : null;
  }

  /** The options that the JVM was started with; null if they are not known. */
  static String @Nullable [] options() {
    try {
      return IS_OPEN ? VM.getRuntimeArguments() : null;
    } catch (LinkageError e) {
      return null; // a later JDK
    }
  }

  private static boolean hasLatestLoader() {
    try {
      VM.latestUserDefinedLoader();
      return true;
    } catch (LinkageError e) {
      return false; // a later JDK
    }
  }
}
