package io.karmi.marshal;

import java.io.ObjectInputFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The translation of a node that has no remote objects: objects travel as they are, and dynamic
 * proxies do not.
 *
 * <p>Immutable.
 */
public final class PlainTranslation implements RemoteTranslation {
  private final @Nullable ClassLoader loader;

  /**
   * A translation that finds classes by the default loader, then by another one.
   *
   * @param loader the other one; null for the context class loader of the thread that reads
   */
  public PlainTranslation(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  @Override
  public Object toStub(Object object) {
    return object;
  }

  @Override
  public Class<?> resolveClass(String name, @Nullable ClassLoader defaultLoader)
      throws ClassNotFoundException {
    ClassLoader second = loader != null ? loader : Thread.currentThread().getContextClassLoader();
    if (defaultLoader != null) {
      try {
        return Class.forName(name, false, defaultLoader);
      } catch (ClassNotFoundException e) {
        if (second == null || second == defaultLoader) {
          throw e;
        }
      }
    }
    return Class.forName(name, false, second);
  }

  @Override
  public Class<?> resolveProxyClass(String[] interfaceNames, @Nullable ClassLoader defaultLoader)
      throws ClassNotFoundException {
    throw new ClassNotFoundException(
        "dynamic proxies do not travel between nodes without remote objects: "
            + String.join(",", interfaceNames));
  }

  @Override
  public void referencesArrived(List<Object> references) {}

  @Override
  public @Nullable ObjectInputFilter defaultFilter() {
    return null;
  }
}
