package io.karmi.uka.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import jdk.internal.reflect.ConstantPool;
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
    return InternalVm.isOpen() ? InternalVm.latestLoader() : StreamGuards.class.getClassLoader();
  }

  /** State of the class when the first stream is made. */
  private static final class Watch {
    /** Null if not a HotSpot JVM, or not accessible. */
    private static final @Nullable PrivateField COUNT =
        PrivateField.of(Class.class, "classRedefinedCount");

    static final boolean ALWAYS =
        Runtime.version().feature() > NEWEST_KNOWN_JDK
            || (Permitted.isNeeded() ? Permitted.get(Watch::wasChanged) : wasChanged());

    /** How often the JVM has redefined the class; 0 if that is not known. */
    static int redefinitions() {
      return COUNT == null ? 0 : COUNT.getInt(ObjectInputStream.class);
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
      String[] options = InternalVm.options();
      if (options == null) {
        return false; // the JDK does not tell
      }
      for (String each : options) {
        boolean debugger = each.startsWith("-agentlib:jdwp");
        if (each.startsWith("-javaagent:") || each.startsWith("-agent") && !debugger) {
          return true;
        }
      }
      return false;
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
        MethodType type = MethodType.methodType(ConstantPool.class);
        MethodHandle get =
            MethodHandles.privateLookupIn(Class.class, lookup)
                .findVirtual(Class.class, "getConstantPool", type);
        return ((ConstantPool) get.invokeExact(ObjectInputStream.class)).getSize();
      } catch (Throwable e) {
        throw new IOException(e);
      }
    }
  }
}
