package io.karmi.guard;

import java.util.Map;
import java.util.Set;
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

  /** Length in characters of the longest name for which a file is looked for. */
  private static final int LONGEST_WITH_FILE = 1_000;

  private static final Set<String> PRIMITIVES =
      Set.of("boolean", "byte", "char", "short", "int", "long", "float", "double", "void");

  private static final AbsentNames OF_JVM = new AbsentNames();

  private final long most;
  private final AtomicLong taken = new AtomicLong();
  private final Map<String, Boolean> names = new ConcurrentHashMap<>();

  /** Names of classes that have a file, as {@link #askedElsewhere} has met them. */
  private final Set<String> present = ConcurrentHashMap.newKeySet();

  private AbsentNames() {
    this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * @param most bytes that they may take
   */
  AbsentNames(long most) {
    this.most = most;
  }

  /** Those of this JVM. */
  public static AbsentNames ofJvm() {
    return OF_JVM;
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

  /**
   * Checks that others may ask a loader for a class, and remembers a name that they will ask for in
   * vain.
   *
   * @throws ClassNotFoundException as {@link #check}
   */
  public void askedElsewhere(String name, @Nullable ClassLoader loader)
      throws ClassNotFoundException {
    String element = elementOf(name);
    if (present.contains(element) || names.containsKey(name)) {
      return;
    }
    if (hasFile(name, loader)) {
      present.add(element);
    } else {
      check(name, loader);
      add(name);
    }
  }

  /** A loader keeps a string of its own, and this table another one. */
  private static long bytes(String name) {
    return BYTES_EACH + 2L * name.length();
  }

  /** Whether a loader, or that of the context, has the file of a class, or of an array's class. */
  private static boolean hasFile(String name, @Nullable ClassLoader loader) {
    String element = elementOf(name);
    if (element.isEmpty() || PRIMITIVES.contains(element)) {
      return true; // an array of primitives has no element with a name
    }
    if (element.length() > LONGEST_WITH_FILE) {
      return false; // the JDK's loaders remember for a while what they have found no file for
    }
    if (element.contains("..") || element.startsWith(".") || element.indexOf('/') >= 0) {
      return false; // a directory would find a file by many such names
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
