package io.karmi.guard;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Names of classes that peers have sent and that this JVM lacks. The JDK's class loaders keep each
 * name that they were asked for as long as they live.
 *
 * <p>So loaders are asked for any name until the absent ones take a share of the heap. From then on
 * they are asked for those names again, and for classes whose file they have. Thread-safe.
 */
public final class AbsentNames {
  /** The part of the heap that absent names may take. */
  private static final int PART_OF_HEAP = 32;

  /** About what a name takes in a loader and here, in bytes, beside its characters. */
  private static final int BYTES_EACH = 256;

  private final long most;
  private final AtomicLong taken = new AtomicLong();
  private final Map<String, Boolean> names = new ConcurrentHashMap<>();

  /** Those of this JVM. */
  public AbsentNames() {
    this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * No names.
   *
   * @param most bytes that they may take
   */
  AbsentNames(long most) {
    this.most = most;
  }

  /**
   * Checks that a loader may be asked for a class.
   *
   * @throws ClassNotFoundException if it may not, since its answer would be the same
   */
  public void check(String name, @Nullable ClassLoader loader) throws ClassNotFoundException {
    if (taken.get() + bytes(name) > most && !names.containsKey(name) && !hasFile(name, loader)) {
      throw new ClassNotFoundException(
          name
              + ": has no class file, and the names of absent classes that peers have sent take "
              + most
              + " bytes, a part of the heap, already");
    }
  }

  /** Remembers that a name was asked for in vain. */
  public void add(String name) {
    long bytes = bytes(name);
    if (taken.get() + bytes <= most && names.putIfAbsent(name, true) == null) {
      taken.addAndGet(bytes);
    }
  }

  /** A loader keeps a string of its own, and this table another one. */
  private static long bytes(String name) {
    return BYTES_EACH + 2L * name.length();
  }

  /** Whether a loader, or that of the context, has the file of a class, or of an array's class. */
  private static boolean hasFile(String name, @Nullable ClassLoader loader) {
    String element = elementOf(name);
    if (element.isEmpty()) {
      return true; // an array of primitives
    }
    String file = element.replace('.', '/') + ".class";
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return loader != null && loader.getResource(file) != null
        || context != null && context.getResource(file) != null
        || ClassLoader.getSystemResource(file) != null;
  }

  /** The class in {@code [[Lname;}; empty if an array has none. */
  private static String elementOf(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    if (dimensions == 0) {
      return name;
    }
    boolean named = name.startsWith("L", dimensions) && name.endsWith(";");
    return named ? name.substring(dimensions + 1, name.length() - 1) : "";
  }
}
