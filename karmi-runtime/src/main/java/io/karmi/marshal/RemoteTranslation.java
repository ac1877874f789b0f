package io.karmi.marshal;

import java.io.ObjectInputFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translation of remote objects and classes at the border of a node; the reference layer implements
 * it.
 *
 * <p>Thread-safe.
 */
public interface RemoteTranslation {
  /**
   * What travels in place of an exported object: its stub, in serial form. The object itself if it
   * is not exported.
   */
  Object toStub(Object object);

  /**
   * Finds a class as RMI does: by the default loader, then by the context class loader; never from
   * a code base.
   *
   * @param defaultLoader of the interface that is called; null to start with the context class
   *     loader
   */
  Class<?> resolveClass(String name, @Nullable ClassLoader defaultLoader)
      throws ClassNotFoundException;

  /** Finds the class of a dynamic proxy in the same way. */
  Class<?> resolveProxyClass(String[] interfaceNames, @Nullable ClassLoader defaultLoader)
      throws ClassNotFoundException;

  /**
   * Tells the collectors about references that have come in a message; when it returns, their
   * owners know.
   *
   * @param references what was given to {@link CallInput#referenceArrived}
   */
  void referencesArrived(List<Object> references);

  /** The filter that applies where the call brings none of its own, or null. */
  @Nullable ObjectInputFilter defaultFilter();
}
