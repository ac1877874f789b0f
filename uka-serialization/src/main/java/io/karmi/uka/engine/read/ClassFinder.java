package io.karmi.uka.engine.read;

import io.karmi.uka.engine.SelfMarshalling;
import io.karmi.uka.platform.Permitted;
import java.io.IOException;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.security.ProtectionDomain;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
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
  /**
   * The number of frames from a stream's method that a program has called to that program. Older
   * JDKs look at six at once, and at those that follow for more than twice the price.
   */
  private static final int FRAMES_OF_ENTRY = 6;

  /** The same from where a class is looked for in the middle of a value, mostly. */
  private static final int FRAMES_OF_SEARCH = 16;

  private static final StackWalker FROM_ENTRY = walker(FRAMES_OF_ENTRY, "DROP_METHOD_INFO");
  private static final StackWalker FROM_SEARCH = walker(FRAMES_OF_SEARCH, "");
  private static final Latest AT_ENTRY = new Latest(true);
  private static final Latest AT_SEARCH = new Latest(false);

  /**
   * Asking the VM makes a proxy class in each loader, which a program that reads little is spared.
   */
  private static final int SEARCHES_BEFORE_PROXIES = 64;

  /** Counted without care for other threads. */
  private static int searches;

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
  private static final Module HOME = ClassFinder.class.getModule();
  private static final ClassLoader HOME_LOADER = ClassFinder.class.getClassLoader();
  private static final ProtectionDomain HOME_DOMAIN = domain(ClassFinder.class);

  /** All classes of this library have names that begin so. */
  private static final String HOME_PACKAGE = "io.karmi.uka.";

  private static final List<Class<?>> PRIMITIVES =
      List.of(
          boolean.class,
          byte.class,
          char.class,
          short.class,
          int.class,
          long.class,
          float.class,
          double.class,
          void.class);

  /**
   * Classes of java.base, which are the same for all loaders; of their arrays only the simple ones,
   * so that it is finite.
   */
  private static final Map<String, Class<?>> OF_JAVA_BASE = new ConcurrentHashMap<>();

  /**
   * Those of them that nearly every stream holds, and without which no program runs: a loader is
   * not even looked for that could hide them. To look for it takes as long as to read a small
   * object.
   */
  private static final Set<String> CORE =
      Set.of(
          "java.lang.Number",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Double",
          "java.lang.Float",
          "java.lang.Short",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Boolean",
          "java.lang.Enum",
          "[Z",
          "[B",
          "[C",
          "[S",
          "[I",
          "[J",
          "[F",
          "[D",
          "[Ljava.lang.String;",
          "[Ljava.lang.Object;",
          "java.util.ArrayList",
          "java.util.LinkedList",
          "java.util.ArrayDeque",
          "java.util.Arrays$ArrayList",
          "java.util.CollSer",
          "java.util.HashMap",
          "java.util.LinkedHashMap",
          "java.util.HashSet",
          "java.util.LinkedHashSet",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.Date",
          "java.util.UUID",
          "java.math.BigInteger",
          "java.math.BigDecimal",
          "java.time.Ser",
          "java.util.concurrent.ConcurrentHashMap");

  private static final @Nullable ClassLoader APP = builtInAppLoader();

  private static final Module JAVA_BASE = Object.class.getModule();

  /** Whether frames of a class are passed over in the search for user code. */
  private static final ClassValue<Boolean> TRANSPARENT =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          ClassLoader loader = type.getClassLoader();
          return loader == null || loader == PLATFORM || isReflection(type) || isOurs(type);
        }
      };

  /**
   * What loaders have answered. It is of fixed size, forgets what collides, and keeps no loader.
   */
  private static final Answer[] ANSWERS = new Answer[512];

  private ClassFinder() {}

  /**
   * With hidden frames: the class behind a lambda or a method reference is user code, and may be
   * all there is.
   *
   * @param optional the name of an option that not all JDKs have
   */
  private static StackWalker walker(int framesAtOnce, String optional) {
    Set<Option> options = EnumSet.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES);
    for (Option option : Option.values()) {
      if (option.name().equals(optional)) {
        options.add(option);
      }
    }
    return Permitted.isNeeded()
        ? Permitted.get(() -> StackWalker.getInstance(options, framesAtOnce))
        : StackWalker.getInstance(options, framesAtOnce);
  }

  /* A program may have set another one, of which nothing is known. */
  private static @Nullable ClassLoader builtInAppLoader() {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    return loader.getClass().getName().startsWith("jdk.internal.loader.") ? loader : null;
  }

  /** Finds a class as {@code ObjectInputStream.resolveClass} does. */
  public static Class<?> find(String name) throws ClassNotFoundException {
    Class<?> known = core(name, null);
    return known != null ? known : find(name, latestUserLoader());
  }

  /**
   * The class that has this name for any loader that does not hide what every program needs, if it
   * has been found before; else null.
   *
   * @param loader that would be asked; null if it has not been looked for
   */
  public static @Nullable Class<?> core(String name, @Nullable ClassLoader loader) {
    return (loader == null || delegates(loader)) && CORE.contains(name)
        ? OF_JAVA_BASE.get(name)
        : null;
  }

  /** Whether a loader is known to have all of java.base, as the JDK's own loaders do. */
  private static boolean delegates(@Nullable ClassLoader loader) {
    return loader == null || loader == APP || loader == PLATFORM;
  }

  /** The same for a caller who has found the {@link #latestUserLoader}. */
  public static Class<?> find(String name, ClassLoader loader) throws ClassNotFoundException {
    Class<?> ofBase = delegates(loader) ? OF_JAVA_BASE.get(name) : null;
    if (ofBase != null) {
      return ofBase;
    }
    int slot = (name.hashCode() + 31 * System.identityHashCode(loader)) & ANSWERS.length - 1;
    Answer answer = ANSWERS[slot];
    Class<?> known = answer == null ? null : answer.classFor(name, loader);
    return known != null ? known : ask(name, loader, slot);
  }

  private static Class<?> ask(String name, ClassLoader loader, int slot)
      throws ClassNotFoundException {
    try {
      Class<?> type = Class.forName(name, false, loader);
      ANSWERS[slot] = new Answer(name, loader, type);
      if (type.getModule() == JAVA_BASE && !name.startsWith("[[")) {
        OF_JAVA_BASE.put(name, type);
      }
      return type;
    } catch (ClassNotFoundException e) {
      for (Class<?> primitive : PRIMITIVES) {
        if (primitive.getName().equals(name)) {
          return primitive;
        }
      }
      throw e;
    } catch (LinkageError e) {
      /* Bytes can name any class, such as one whose superclass is missing here. */
      throw new ClassNotFoundException(name, e);
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
    return FROM_SEARCH.walk(AT_SEARCH);
  }

  /**
   * The same right after the program has called the stream.
   *
   * @param hooks of that stream
   */
  public static ClassLoader callingLoader(InputHooks hooks)
      throws IOException, ClassNotFoundException {
    if (asksVm()) {
      return hooks.latestLoaderOfVm();
    }
    searches++;
    return FROM_ENTRY.walk(AT_ENTRY);
  }

  /**
   * The same in the middle of an object, while the stream has not described a class of a program.
   *
   * @param hooks of that stream
   */
  public static ClassLoader firstLoader(InputHooks hooks)
      throws IOException, ClassNotFoundException {
    if (asksVm()) {
      return hooks.latestLoaderOfVm();
    }
    searches++;
    return latestUserLoader();
  }

  /**
   * Whether {@link #callingLoader} is quick. The VM passes over frames of the boot loader, which is
   * all that this library has there if that has loaded it.
   */
  public static boolean asksVm() {
    return HOME_LOADER == null && searches >= SEARCHES_BEFORE_PROXIES;
  }

  /** Whether the class is a program's own, so that its frames count. */
  public static boolean isUserCode(Class<?> type) {
    return !TRANSPARENT.get(type);
  }

  private static boolean isUnmarshalling(StackFrame frame) {
    /* The name of a method costs as much as all the rest. */
    return SelfMarshalling.class.isAssignableFrom(frame.getDeclaringClass())
        && frame.getMethodName().equals("<init>")
        && frame.getDescriptor().endsWith("/UkaObjectInputStream;)V");
  }

  /**
   * The loader of the first frame that counts. No lambda: linking one would take longer than the
   * rest of a JVM's first search.
   *
   * @param entry whether the program has just called: no class is being read that could have a
   *     frame of its own
   */
  private record Latest(boolean entry) implements Function<Stream<StackFrame>, ClassLoader> {
    @Override
    public ClassLoader apply(Stream<StackFrame> frames) {
      for (var all = frames.iterator(); all.hasNext(); ) {
        StackFrame frame = all.next();
        if (isUserCode(frame.getDeclaringClass()) && (entry || !isUnmarshalling(frame))) {
          return frame.getDeclaringClass().getClassLoader();
        }
      }
      return PLATFORM;
    }
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
        && domain(type) == HOME_DOMAIN;
  }

  private static ProtectionDomain domain(Class<?> type) {
    return Permitted.isNeeded()
        ? Permitted.get(type::getProtectionDomain)
        : type.getProtectionDomain();
  }

  /**
   * The class that a loader has once answered for a name. The VM has noted it as well, and would
   * not ask the loader again.
   */
  private static final class Answer extends WeakReference<Class<?>> {
    private final String name;
    private final WeakReference<ClassLoader> loader;

    public Answer(String name, ClassLoader loader, Class<?> type) {
      super(type);
      this.name = name;
      this.loader = new WeakReference<>(loader);
    }

    public @Nullable Class<?> classFor(String wanted, ClassLoader asked) {
      return loader.get() == asked && name.equals(wanted) ? get() : null;
    }
  }
}
