package io.karmi.stub;

import io.karmi.marshal.CallOutput;
import io.karmi.reference.Privileged;
import io.karmi.stubgen.emit.ClassFile;
import io.karmi.stubgen.emit.Emitter;
import io.karmi.stubgen.model.RemoteMethod;
import io.karmi.stubgen.model.RemoteModel;
import io.karmi.uka.platform.CodeGeneration;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finder and generator of the classes of one list of interfaces; it also chooses their loader.
 *
 * <p>In this order: classes that karmic has made; classes defined beside the interface, in its
 * loader and package, which works for interfaces that are not public; classes in a {@link
 * StubLoader}, for loaders that do not see KaRMI and for interfaces of several loaders; none at
 * all, where the Java platform lets only itself name the types.
 */
final class GeneratedCode {
  private static final System.Logger LOG = System.getLogger("io.karmi.stub");

  /** Whether classes are to be unloaded with the last stub: those of a loader of its own are. */
  private final boolean passing;

  private final Class<?>[] interfaces;
  private final RemoteModel model;

  /** The interface beside which the classes live. */
  final Class<?> home;

  private final HomeModule module;
  private @Nullable StubLoader ownLoader;

  GeneratedCode(boolean passing, Class<?>[] interfaces, RemoteModel model) {
    this.passing = passing;
    this.interfaces = interfaces;
    this.model = model;
    this.home = homeOf(interfaces, model.home());
    this.module = new HomeModule(home);
  }

  private static Class<?> homeOf(Class<?>[] interfaces, String name) {
    for (Class<?> each : interfaces) {
      if (each.getName().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no interface " + name);
  }

  /**
   * The constructor of a class, found or defined now; null where it can be neither.
   *
   * @param superclass what the class must extend
   * @param argument the type of the constructor's only parameter
   * @param source gives the class files; the last is the class in question
   */
  @Nullable Constructor<?> findOrDefine(
      String name, Class<?> superclass, Class<?> argument, Supplier<List<ClassFile>> source) {
    return Privileged.get(() -> permitted(name, superclass, argument, source));
  }

  private @Nullable Constructor<?> permitted(
      String name, Class<?> superclass, Class<?> argument, Supplier<List<ClassFile>> source) {
    try {
      Class<?> made = find(name, superclass);
      if (made == null) {
        made = define(superclass, source);
      }
      return made == null ? null : made.getConstructor(argument);
    } catch (NoSuchMethodException | LinkageError e) {
      LOG.log(Level.DEBUG, "no class " + name + "; a proxy serves instead", e);
      return null;
    }
  }

  /**
   * A class made by karmic; one that was made from other interfaces than those here is not used.
   */
  private @Nullable Class<?> find(String name, Class<?> superclass) {
    Class<?> found = find(name, home.getClassLoader());
    if (found == null && home.getClassLoader() == null) {
      found = find(name, superclass.getClassLoader()); // an interface of the JDK
    }
    if (found == null || found.getSuperclass() != superclass || !module.letsKarmiAt(found)) {
      return null;
    }
    try {
      if (found.getField(Emitter.FINGERPRINT).getLong(null) == model.fingerprint()) {
        return found;
      }
    } catch (ReflectiveOperationException e) {
      LOG.log(Level.DEBUG, name + " has no fingerprint", e);
    }
    LOG.log(
        Level.WARNING,
        name + " was made from an older version of " + model.interfaces() + "; run karmic again");
    return null;
  }

  private @Nullable Class<?> find(String name, @Nullable ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      return null;
    } catch (LinkageError e) {
      if (!module.readsKarmi() && module.readKarmi(name)) {
        return find(name, loader);
      }
      LOG.log(Level.DEBUG, name + " cannot be linked", e);
      return null;
    }
  }

  private @Nullable Class<?> define(Class<?> superclass, Supplier<List<ClassFile>> source) {
    if (CodeGeneration.IS_OFF) {
      LOG.log(Level.DEBUG, "karmi.codegen is off and karmic has made no class for " + this);
      return null;
    }
    boolean elsewhere = passing && maySitElsewhere();
    if (!elsewhere && maySitBesideHome(superclass)) {
      try {
        return defineBesideHome(source.get());
      } catch (IllegalAccessException | LinkageError e) {
        LOG.log(Level.DEBUG, "cannot define a class beside " + home.getName(), e);
      }
    }
    return elsewhere || maySitElsewhere() ? defineElsewhere(source.get()) : null;
  }

  /** Whether classes that are made here may be unloaded with the last stub. */
  boolean canPass() {
    return !CodeGeneration.IS_OFF && maySitElsewhere();
  }

  private boolean maySitBesideHome(Class<?> superclass) {
    return !home.getName().startsWith("java.")
        && home.getModule().canRead(superclass.getModule())
        && seesAll(home.getClassLoader(), superclass)
        && seesAll(home.getClassLoader(), interfaces)
        && canNameAll(home.getPackage())
        && showsItsClassesKarmi(home.getClassLoader());
  }

  /**
   * Whether a loader finds KaRMI for the classes that it defines itself. It may find it for others
   * only: those of OSGi look at who asks. The JDK's own do not.
   *
   * <p>The class in question is one that only generated classes name: what a loader has found once,
   * for whomever, it is not asked for again.
   */
  private boolean showsItsClassesKarmi(@Nullable ClassLoader loader) {
    if (loader == null || loader.getClass().getClassLoader() == null) {
      return true;
    }
    String name = home.getName() + "_KSees";
    try {
      MethodHandles.privateLookupIn(home, MethodHandles.lookup())
          .defineClass(Emitter.probe(name, CallOutput.class.getName()).bytes());
    } catch (IllegalAccessException | LinkageError e) {
      LOG.log(Level.DEBUG, name + " is defined already, or may not be", e);
    }
    try {
      Class.forName(name, true, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      LOG.log(Level.DEBUG, loader + " hides KaRMI from its classes", e);
      return false;
    }
  }

  /** Whether a loader finds these very classes by their names. */
  static boolean seesAll(@Nullable ClassLoader loader, Class<?>... types) {
    for (Class<?> type : types) {
      try {
        if (Class.forName(type.getName(), false, loader) != type) {
          return false;
        }
      } catch (ClassNotFoundException | LinkageError e) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Class<?> defineBesideHome(List<ClassFile> classes)
      throws IllegalAccessException {
    MethodHandles.Lookup beside = MethodHandles.privateLookupIn(home, MethodHandles.lookup());
    Class<?> last = null;
    for (ClassFile each : classes) {
      last = beside.defineClass(each.bytes());
    }
    return last;
  }

  private boolean maySitElsewhere() {
    return canNameAll(null);
  }

  private @Nullable Class<?> defineElsewhere(List<ClassFile> classes) {
    StubLoader loader = ownLoader;
    if (loader == null) {
      loader = new StubLoader(home, interfaces);
      ownLoader = loader;
    }
    Class<?> last = null;
    for (ClassFile each : classes) {
      last = loader.define(each);
    }
    return last;
  }

  /**
   * Whether code in the package may name every type that stubs and skeletons name.
   *
   * @param from the package; null for one of a loader of its own
   */
  private boolean canNameAll(@Nullable Package from) {
    for (Class<?> type : interfaces) {
      if (!canName(type, from)) {
        return false;
      }
      for (Method method : type.getMethods()) {
        if (!canName(method.getReturnType(), from)
            || !canNameAll(method.getParameterTypes(), from)
            || !canNameAll(method.getExceptionTypes(), from)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean canNameAll(Class<?>[] types, @Nullable Package from) {
    for (Class<?> type : types) {
      if (!canName(type, from)) {
        return false;
      }
    }
    return true;
  }

  private boolean canName(Class<?> type, @Nullable Package from) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    if (element.isPrimitive()) {
      return true;
    }
    boolean samePackage =
        from != null
            && element.getPackageName().equals(from.getName())
            && element.getClassLoader() == home.getClassLoader();
    boolean exported =
        from != null
            ? element.getModule().isExported(element.getPackageName(), home.getModule())
            : element.getModule().isExported(element.getPackageName());
    return samePackage
        || exported && (element.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  /** For messages. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (RemoteMethod method : model.methods()) {
      text.append(text.length() == 0 ? "" : ", ").append(method.signature());
    }
    return home.getName() + " [" + text + "]";
  }
}
