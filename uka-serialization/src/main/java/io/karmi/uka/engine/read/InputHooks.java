package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.platform.Permitted;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * What the engine needs of the stream it works for: the stream itself, for the hooks of user
 * classes, and the methods that a program's subclass of the stream may have overridden. They are
 * protected there, hence this interface.
 */
public interface InputHooks {
  /** Whether the JDK, too, lets a program set a filter when objects have been read. */
  boolean FILTER_MAY_BE_SET_LATE = Permitted.hasFlag("jdk.serialSetFilterAfterRead");

  ObjectInputStream stream();

  /**
   * What reads from here on, as the rest of the stream has been appended in UKA's format. The seam
   * has been taken.
   */
  Continuation passSeam() throws IOException;

  /**
   * Whether a program overrides what {@code readObject} methods call, {@code readInt} and the like.
   */
  boolean overridesCalls();

  /** Whether a program reads class descriptors its own way. */
  boolean overridesReadClassDescriptor();

  ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException;

  /** Whether the stream may name classes without describing them. */
  boolean acceptsSlimTypes();

  /** Whether a program finds classes its own way. */
  boolean overridesResolveClass();

  @Nullable Class<?> resolveClass(ObjectStreamClass descriptor)
      throws IOException, ClassNotFoundException;

  @Nullable Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException;

  /**
   * The loader of the latest code on the stack that neither the boot nor the platform loader has
   * loaded, as the VM finds it for the JDK's streams: quickly, but it knows nothing of this
   * library's frames.
   */
  ClassLoader latestLoaderOfVm() throws IOException, ClassNotFoundException;

  @Nullable Object resolveObject(@Nullable Object object) throws IOException;

  /** The stream's filter, which does not change any more; null if there is none. */
  @Nullable ObjectInputFilter fixFilter();

  /**
   * What lets a class that carries its own marshalers make and fill objects (paper 3.7); null if it
   * is not complete. An object is given to {@link ObjectReader#register} before it reads its first
   * reference.
   */
  @Nullable ObjectAccess awareAccess(Class<?> type);
}
