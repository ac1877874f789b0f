package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The VM's own search for the loader of the latest user code on the stack, where the JDK lets this
 * library call it: behind the agent. It passes over frames of the boot and the platform loader, and
 * takes a fraction of the time of a walk.
 */
public final class LoaderOfVm {
  private static final @Nullable MethodHandle LATEST = find();

  private LoaderOfVm() {}

  private static @Nullable MethodHandle find() {
    try {
      return MethodHandles.lookup()
          .findStatic(
              Class.forName("jdk.internal.misc.VM"),
              "latestUserDefinedLoader",
              MethodType.methodType(ClassLoader.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Whether the JDK lets this library call it. */
  public static boolean isOpen() {
    return LATEST != null;
  }

  /** The loader; the platform loader if there is none, null if it is not known. */
  public static @Nullable ClassLoader latest() {
    MethodHandle latest = LATEST;
    try {
      return latest == null ? null : (ClassLoader) latest.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
