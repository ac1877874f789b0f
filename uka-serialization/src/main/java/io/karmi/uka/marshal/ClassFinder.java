package io.karmi.uka.marshal;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The default rule by which a class name becomes a class: the loader of the latest user code on the
 * stack.
 *
 * <p>User code is what neither the boot nor the platform loader has loaded. Frames of this library
 * are no user code either, wherever it was loaded from, nor are the unmarshalling constructors that
 * a program's classes carry: the JDK's streams would have set those objects' fields without a frame
 * of theirs.
 */
public final class ClassFinder {
  /** So many frames mostly reach from here to user code. */
  private static final int FRAMES_AT_ONCE = 18;

  /**
   * With hidden frames: the class behind a lambda or a method reference is user code, and may be
   * all there is.
   */
  private static final StackWalker STACK =
      StackWalker.getInstance(
          Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES), FRAMES_AT_ONCE);

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
  private static final Module HOME = ClassFinder.class.getModule();
  private static final ClassLoader HOME_LOADER = ClassFinder.class.getClassLoader();
  private static final String HOME_PACKAGE = homePackage();
  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean",
          boolean.class,
          "byte",
          byte.class,
          "char",
          char.class,
          "short",
          short.class,
          "int",
          int.class,
          "long",
          long.class,
          "float",
          float.class,
          "double",
          double.class,
          "void",
          void.class);

  /**
   * Classes of java.base, which are the same for all loaders; of their arrays only the simple ones,
   * so that it is finite.
   */
  private static final Map<String, Class<?>> OF_JAVA_BASE = new ConcurrentHashMap<>();

  private static final Module JAVA_BASE = Object.class.getModule();

  private ClassFinder() {}

  private static String homePackage() {
    String name = ClassFinder.class.getPackageName();
    return name.substring(0, name.lastIndexOf('.') + 1);
  }

  /** Finds a class as {@code ObjectInputStream.resolveClass} does. */
  public static Class<?> find(String name) throws ClassNotFoundException {
    Class<?> known = ofJavaBase(name);
    return known != null ? known : find(name, latestUserLoader());
  }

  /** The class of java.base that has this name, if it has been found before; else null. */
  static @Nullable Class<?> ofJavaBase(String name) {
    return OF_JAVA_BASE.get(name);
  }

  /** The same for a caller who has found the {@link #latestUserLoader}. */
  static Class<?> find(String name, ClassLoader loader) throws ClassNotFoundException {
    try {
      Class<?> type = Class.forName(name, false, loader);
      if (type.getModule() == JAVA_BASE && !name.startsWith("[[")) {
        OF_JAVA_BASE.put(name, type);
      }
      return type;
    } catch (ClassNotFoundException e) {
      Class<?> primitive = PRIMITIVES.get(name);
      if (primitive != null) {
        return primitive;
      }
      throw e;
    }
  }

  /** Finds or makes a proxy class as {@code ObjectInputStream.resolveProxyClass} does. */
  @SuppressWarnings("deprecation") // a proxy class without an instance is what is asked for
  public static Class<?> findProxy(String[] names) throws ClassNotFoundException {
    ClassLoader latest = latestUserLoader();
    ClassLoader nonPublic = null;
    boolean hasNonPublic = false;
    Class<?>[] interfaces = new Class<?>[names.length];
    for (int i = 0; i < names.length; i++) {
      Class<?> type = Class.forName(names[i], false, latest);
      if (!Modifier.isPublic(type.getModifiers())) {
        if (hasNonPublic && nonPublic != type.getClassLoader()) {
          throw new IllegalAccessError("conflicting non-public interface class loaders");
        }
        nonPublic = type.getClassLoader();
        hasNonPublic = true;
      }
      interfaces[i] = type;
    }
    try {
      return Proxy.getProxyClass(hasNonPublic ? nonPublic : latest, interfaces);
    } catch (IllegalArgumentException e) {
      throw new ClassNotFoundException(null, e);
    }
  }

  /** The loader of the latest user code on the stack; the platform loader if there is none. */
  public static ClassLoader latestUserLoader() {
    return STACK.walk(
        frames -> {
          for (var all = frames.iterator(); all.hasNext(); ) {
            ClassLoader loader = userLoader(all.next());
            if (loader != null) {
              return loader;
            }
          }
          return PLATFORM;
        });
  }

  private static ClassLoader userLoader(StackFrame frame) {
    Class<?> type = frame.getDeclaringClass();
    ClassLoader loader = type.getClassLoader();
    if (loader == null || loader == PLATFORM || isReflection(type) || isOurs(type)) {
      return null;
    }
    boolean unmarshals =
        frame.getMethodName().equals("<init>")
            && frame.getDescriptor().endsWith("/UkaObjectInputStream;)V");
    return unmarshals ? null : loader;
  }

  /** Accessors that older JDKs generate for reflective calls have a loader of their own. */
  private static boolean isReflection(Class<?> type) {
    return type.getName().startsWith("jdk.internal.reflect.");
  }

  /** Classes of the library, and those it generates beside a program's classes. */
  private static boolean isOurs(Class<?> type) {
    return isLibrary(type) || (type.isHidden() && isLibrary(type.getSuperclass()));
  }

  /** Whether a class came with the library, not with tests that share its packages. */
  private static boolean isLibrary(Class<?> type) {
    return type.getClassLoader() == HOME_LOADER
        && type.getModule() == HOME
        && type.getName().startsWith(HOME_PACKAGE)
        && type.getProtectionDomain() == ClassFinder.class.getProtectionDomain();
  }
}
