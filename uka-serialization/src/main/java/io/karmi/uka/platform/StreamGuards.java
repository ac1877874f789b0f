package io.karmi.uka.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Whether other agents have changed {@link ObjectInputStream}, whose methods UKA's stream overrides
 * and need not call. Guards against hostile classes hook them: so if there is a change, or may be
 * one, the JDK's methods are called for every class that is bound.
 *
 * <table>
 * <caption>How a change is found out</caption>
 * <tr><td>while the JVM runs, by retransformation</td><td>the JVM counts the redefinitions of a class</td></tr>
 * <tr><td>when the class is loaded</td><td>its constant pool is larger than the agent of KaRMI has seen it, or than in the run-time image</td></tr>
 * <tr><td>the same without KaRMI's agent</td><td>the JVM was started with any other agent</td></tr>
 * <tr><td>in a JDK that is newer than those known</td><td>the JDK's own methods may do more: they are called</td></tr>
 * </table>
 *
 * <p>Without access to {@code java.lang} and {@code jdk.internal.misc} (a rewritten jar without
 * agent), no more than the count is known, on JDKs before 24, and else nothing.
 *
 * <p>Thread-safe.
 */
public final class StreamGuards {
  /** Newest release whose stream only finds the class in {@code resolveClass}. */
  private static final int NEWEST_KNOWN_JDK = 28;

  private static final int CONSTANT_COUNT_AT = 8;
  private static final int UNKNOWN = -1;

  /** Constants that KaRMI's agent has added to the class; {@link #UNKNOWN} without the agent. */
  private static volatile int added = UNKNOWN;

  /** Constants of the class before that; {@link #UNKNOWN} if the run-time image has to say. */
  private static volatile int before = UNKNOWN;

  private StreamGuards() {}

  /**
   * Called by KaRMI's agent, before the first stream is made.
   *
   * @param constantsBefore number of the class's constants as it was loaded, before KaRMI changed
   *     it; negative if other agents may have changed it before
   * @param constantsAdded by KaRMI
   */
  public static void seen(int constantsBefore, int constantsAdded) {
    before = constantsBefore;
    added = constantsAdded;
  }

  /** Whether the JDK's methods have to be called. Takes a few nanoseconds. */
  public static boolean mayBePresent() {
    return Watch.ALWAYS || Watch.redefinitions() != 0;
  }

  /**
   * The loader that the JDK's stream asks for classes when UKA's stream calls it; null if that is
   * not known. It takes this library for the program, where it is not loaded with the JDK.
   */
  public static @Nullable ClassLoader loaderOfJdk() {
    return LoaderOfVm.isOpen() ? LoaderOfVm.latest() : StreamGuards.class.getClassLoader();
  }

  private static @Nullable MethodHandle find(String owner, String name, MethodType type) {
    try {
      return MethodHandles.lookup().findStatic(Class.forName(owner), name, type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** State of the class when the first stream is made. */
  private static final class Watch {
    private static final @Nullable UnsafeHandles UNSAFE = UnsafeHandles.any();
    private static final long COUNT_AT = countAt();
    private static final @Nullable MethodHandle COUNT = count();
    static final boolean ALWAYS =
        Runtime.version().feature() > NEWEST_KNOWN_JDK
            || (Permitted.isNeeded() ? Permitted.get(Watch::wasChanged) : wasChanged());

    /** How often the JVM has redefined the class; 0 if that is not known. */
    static int redefinitions() {
      MethodHandle count = COUNT;
      try {
        return count == null
            ? 0
            : (int) count.invokeExact((Object) ObjectInputStream.class, COUNT_AT);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    private static long countAt() {
      UnsafeHandles unsafe = UNSAFE;
      return unsafe == null
          ? UNKNOWN
          : Permitted.isNeeded() ? Permitted.get(() -> countAt(unsafe)) : countAt(unsafe);
    }

    private static long countAt(UnsafeHandles unsafe) {
      try {
        return unsafe.offset(Class.class.getDeclaredField("classRedefinedCount"));
      } catch (NoSuchFieldException | IllegalAccessException e) {
        return UNKNOWN; // not a HotSpot JVM
      }
    }

    private static @Nullable MethodHandle count() {
      UnsafeHandles unsafe = UNSAFE;
      try {
        return unsafe == null || COUNT_AT < 0 ? null : unsafe.intGetter();
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }

    private static boolean wasChanged() {
      int own = added;
      if (own < 0) {
        return hasAgents();
      }
      try {
        int pristine = before < 0 ? constantsInImage() : before;
        return constants() != pristine + own;
      } catch (IOException e) {
        return true;
      }
    }

    /** Whether the JVM was started with an agent; false if it does not say. */
    private static boolean hasAgents() {
      MethodHandle arguments =
          find(
              "jdk.internal.misc.VM", "getRuntimeArguments", MethodType.methodType(String[].class));
      if (arguments == null) {
        return false;
      }
      try {
        for (String each : (String[]) arguments.invokeExact()) {
          boolean debugger = each.startsWith("-agentlib:jdwp");
          if (each.startsWith("-javaagent:") || each.startsWith("-agent") && !debugger) {
            return true;
          }
        }
        return false;
      } catch (Throwable e) {
        return false; // the JDK does not tell
      }
    }

    private static int constantsInImage() throws IOException {
      Module base = Object.class.getModule();
      try (InputStream in = base.getResourceAsStream("java/io/ObjectInputStream.class")) {
        if (in == null) {
          throw new IOException("no class file");
        }
        byte[] header = in.readNBytes(CONSTANT_COUNT_AT + 2);
        return (header[CONSTANT_COUNT_AT] & 0xff) << 8 | header[CONSTANT_COUNT_AT + 1] & 0xff;
      }
    }

    /** The number of constants of the loaded class. */
    private static int constants() throws IOException {
      try {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Class<?> pool = Class.forName("jdk.internal.reflect.ConstantPool");
        MethodHandle get =
            MethodHandles.privateLookupIn(Class.class, lookup)
                .findVirtual(Class.class, "getConstantPool", MethodType.methodType(pool));
        MethodHandle size = lookup.findVirtual(pool, "getSize", MethodType.methodType(int.class));
        return (int) size.invoke(get.invoke(ObjectInputStream.class));
      } catch (Throwable e) {
        throw new IOException(e);
      }
    }
  }
}
