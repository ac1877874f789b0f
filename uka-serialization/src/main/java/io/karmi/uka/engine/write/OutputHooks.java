package io.karmi.uka.engine.write;

import io.karmi.uka.field.ObjectAccess;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * What the engine needs of the stream it works for: the stream itself, for the hooks of user
 * classes, and the methods that a program's subclass of the stream may have overridden. They are
 * protected there, hence this interface.
 */
public interface OutputHooks {
  ObjectOutputStream stream();

  /**
   * Whether a program overrides what {@code writeObject} methods call, {@code writeInt} and the
   * like.
   */
  boolean overridesCalls();

  @Nullable Object replaceObject(@Nullable Object object) throws IOException;

  /** Whether {@link #replaceObject} may return something else for an object of this class. */
  boolean mayReplace(Class<?> type);

  void annotateClass(Class<?> type) throws IOException;

  void annotateProxyClass(Class<?> type) throws IOException;

  /** Whether a program writes class descriptors its own way. */
  boolean overridesWriteClassDescriptor();

  void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException;

  /**
   * What lets a class that carries its own marshalers write all fields of its objects, those of
   * every superclass included (paper 3.7); null if it does not do that.
   */
  @Nullable ObjectAccess awareAccess(Class<?> type);
}
