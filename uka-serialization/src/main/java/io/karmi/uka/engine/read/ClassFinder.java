package io.karmi.uka.engine.read;

import io.karmi.uka.field.SelfMarshalling;
import io.karmi.uka.platform.InternalVm;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.platform.StreamGuards;
import io.karmi.uka.platform.TypeCode;
import java.io.IOException;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.ref.WeakReference;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.security.ProtectionDomain;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finder of classes by name, by the JDK's default rule: the loader of the latest user code on the
 * stack.
 *
 * <p>User code is what neither the boot nor the platform loader has loaded, except frames of this
 * library, wherever it was loaded from, and unmarshalling constructors: the JDK's streams would set
 * those objects' fields without a frame.
 */
public final class ClassFinder {
  /**
   * Frames from a stream's public method to the program. Older JDKs fetch six at once; to fetch
   * more costs more than twice as much.
   */
  private static final int FRAMES_OF_ENTRY = 6;

  /** Frames to the program from the middle of a value, mostly. */
  private static final int FRAMES_OF_SEARCH = 16;

  private static final StackWalker FROM_ENTRY = walker(FRAMES_OF_ENTRY, "DROP_METHOD_INFO");
  private static final StackWalker FROM_SEARCH = walker(FRAMES_OF_SEARCH, "");
  private static final Latest AT_ENTRY = new Latest(true);
  private static final Latest AT_SEARCH = new Latest(false);

  /** Searches before the VM is asked where that makes a proxy class in each loader. */
  private static final int SEARCHES_BEFORE_PROXIES = 64;

  /** Counted without care for other threads. */
  private static int searches;

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
  private static final Module HOME = ClassFinder.class.getModule();
  private static final ClassLoader HOME_LOADER = ClassFinder.class.getClassLoader();
  private static final ProtectionDomain HOME_DOMAIN = domain(ClassFinder.class);

  /** All classes of this library have names that begin so. */
  private static final String HOME_PACKAGE = "io.karmi.uka.";

  /**
   * Classes of java.base, which are the same for all loaders; of their arrays only the simple ones,
   * so that it is finite.
   */
  private static final Map<String, Class<?>> OF_JAVA_BASE = new ConcurrentHashMap<>();

  /**
   * Those of them that nearly every stream contains. For these the loader is not looked for, which
   * takes as long as to read a small object: no loader can hide them from a program.
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

  /** Cache of loaders' answers, of fixed size; it forgets what collides, and keeps no loader. */
  private static final Answer[] ANSWERS = new Answer[512];

  private ClassFinder() {}

  /**
   * Walks hidden frames, too: a lambda or method reference may be the only user code there is.
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
   * The class of {@link #CORE} that has this name, if it has been found before; else null.
   *
   * @param loader the one that would be asked; null if it has not been looked for
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

  /** As {@link #find(String)}, where the {@link #latestUserLoader} is known. */
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
      Class<?> primitive = TypeCode.primitive(name);
      if (primitive == null) {
        throw e;
      }
      return primitive;
    } catch (LinkageError e) {
      /* Bytes can name any class, such as one whose superclass is missing here. */
      throw new ClassNotFoundException(name, e);
    }
  }

  /**
   * Finds or makes a proxy class as {@code ObjectInputStream.resolveProxyClass} does.
   *
   * @param latest the {@link #latestUserLoader}
   */
  @SuppressWarnings("deprecation") // a proxy class without an instance is what is asked for
  public static Class<?> findProxy(String[] names, ClassLoader latest)
      throws ClassNotFoundException {
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

  /** Search for one class by a loader. */
  public interface Search {
    Class<?> by(ClassLoader loader) throws ClassNotFoundException;
  }

  /** The method of the JDK's stream that resolves that class. */
  public interface JdksMethod {
    Class<?> resolve() throws IOException, ClassNotFoundException;
  }

  /**
   * Lets the JDK's method decide, into which another agent may have put a guard ({@link
   * StreamGuards}). Its loader differs from the {@link #latestUserLoader} where this library, or
   * code generated for a class, counts as the program's: then what it has found by that loader
   * counts as nothing but consent.
   */
  public static Class<?> findGuarded(Search search, JdksMethod method)
      throws IOException, ClassNotFoundException {
    ClassLoader loader = latestUserLoader();
    ClassLoader ofJdk = StreamGuards.loaderOfJdk();
    if (ofJdk == null || ofJdk == loader) {
      return method.resolve();
    }
    Class<?> unguarded = foundOrNull(search, ofJdk);
    Class<?> answer = null;
    try {
      answer = method.resolve();
    } catch (ClassNotFoundException e) {
      if (unguarded != null) {
        throw e;
      }
    }
    if (answer == unguarded) {
      return search.by(loader);
    }
    if (answer == null) {
      throw new ClassNotFoundException("null class");
    }
    return answer;
  }

  private static @Nullable Class<?> foundOrNull(Search search, ClassLoader loader) {
    try {
      return search.by(loader);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** The loader of the latest user code on the stack; the platform loader if there is none. */
  public static ClassLoader latestUserLoader() {
    return FROM_SEARCH.walk(AT_SEARCH);
  }

  /**
   * As {@link #latestUserLoader}, right after the program has called the stream.
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
   * As {@link #latestUserLoader}, as long as the stream has described no class of a program.
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
   * Whether {@link #callingLoader} asks the VM, which is quick. The VM skips frames of the boot
   * loader; so the library must have been loaded by that.
   */
  public static boolean asksVm() {
    return HOME_LOADER == null && (InternalVm.isOpen() || searches >= SEARCHES_BEFORE_PROXIES);
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
   * The loader of the first frame of user code. Not a lambda, whose linking takes longer than the
   * rest of a JVM's first search.
   *
   * @param entry whether the program has just called, so that no unmarshalling constructor runs
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

  /** Whether a class is an accessor that older JDKs generate for reflective calls. */
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
   * The class that a loader has answered for a name. The VM keeps it as well, and would not ask the
   * loader again.
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
