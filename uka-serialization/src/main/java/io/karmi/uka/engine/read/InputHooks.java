package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.platform.Permitted;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * The engine's view of its stream: the stream itself, for the hooks of user classes, and the
 * methods that a program's subclass may override. They are protected there, hence this interface.
 */
public interface InputHooks {
  /** Whether the JDK, too, lets a program set a filter when objects have been read. */
  boolean FILTER_MAY_BE_SET_LATE = Permitted.hasFlag("jdk.serialSetFilterAfterRead");

  ObjectInputStream stream();

  /**
   * The reader of the rest of the stream, which has been appended in UKA's format. The seam has
   * been read.
   */
  Continuation passSeam() throws IOException;

  /** Whether a program overrides methods that {@code readObject} methods call. */
  boolean overridesCalls();

  /** Whether a program overrides {@code readClassDescriptor}. */
  boolean overridesReadClassDescriptor();

  ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException;

  /** Whether the stream may name classes without describing them (slim types). */
  boolean acceptsSlimTypes();

  /** Whether a program overrides {@code resolveClass}. */
  boolean overridesResolveClass();

  /** Whether a program overrides {@code resolveProxyClass}. */
  boolean overridesResolveProxyClass();

  /**
   * Whether {@code resolveClass} may look at the version of an array class, which UKA's format
   * omits. To find it out the class is looked for before.
   */
  boolean showsArrayVersions();

  @Nullable Class<?> resolveClass(ObjectStreamClass descriptor)
      throws IOException, ClassNotFoundException;

  @Nullable Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException;

  /**
   * The loader of the latest user code on the stack, as the VM finds it for the JDK's streams:
   * quickly, but with this library's frames as user code.
   */
  ClassLoader latestLoaderOfVm() throws IOException, ClassNotFoundException;

  @Nullable Object resolveObject(@Nullable Object object) throws IOException;

  /** The stream's filter, which does not change any more; null if there is none. */
  @Nullable ObjectInputFilter fixFilter();

  /** Whether a program can set no other filter once {@link #fixFilter} has been called. */
  boolean isFilterFinal();

  /**
   * Access to objects of a class that carries its own marshalers (paper 3.7); null if they are not
   * complete. An object calls {@link ObjectReader#register} before it reads its first reference.
   */
  @Nullable ObjectAccess awareAccess(Class<?> type);
}
