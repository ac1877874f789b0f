package io.karmi.stub;

import io.karmi.reference.Privileged;
import io.karmi.stubgen.emit.ClassFile;
import java.security.ProtectionDomain;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Class loader that sees both KaRMI and some interfaces, where the interfaces' own loaders do not.
 *
 * <p>It defines the classes of one list of interfaces and nothing else. It dies with its stubs.
 */
final class StubLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final ProtectionDomain OWN = domainOf(StubLoader.class);

  private final Set<@Nullable ClassLoader> others = new LinkedHashSet<>();
  private final ProtectionDomain domain;

  StubLoader(Class<?> home, Class<?>... interfaces) {
    super("karmi-stubs", home.getClassLoader());
    domain = home.getProtectionDomain();
    others.add(StubLoader.class.getClassLoader());
    for (Class<?> each : interfaces) {
      others.add(each.getClassLoader());
    }
  }

  private static ProtectionDomain domainOf(Class<?> type) {
    return Privileged.get(type::getProtectionDomain);
  }

  Class<?> define(ClassFile generated) {
    byte[] bytes = generated.bytes();
    return defineClass(generated.name(), bytes, 0, bytes.length, domain);
  }

  /**
   * KaRMI's classes must be those that run, whatever the home's loader has under the same names.
   */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.startsWith("io.karmi.") && !name.startsWith("io.karmi.generated.")) {
      try {
        Class<?> found = Class.forName(name, false, StubLoader.class.getClassLoader());
        if (domainOf(found) == OWN) {
          return found;
        }
      } catch (ClassNotFoundException e) {
        // a class of the program's, below
      }
    }
    return super.loadClass(name, resolve);
  }

  /** Asks the loaders of the other interfaces, and KaRMI's own. */
  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    for (@Nullable ClassLoader other : others) {
      try {
        return Class.forName(name, false, other);
      } catch (ClassNotFoundException e) {
        continue;
      }
    }
    throw new ClassNotFoundException(name);
  }
}
