package io.karmi.uka.engine.write;

import io.karmi.uka.field.ObjectAccess;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import org.jspecify.annotations.Nullable;

/**
 * The engine's view of its stream: the stream itself, for the hooks of user classes, and the
 * methods that a program's subclass may override. They are protected there, hence this interface.
 */
public interface OutputHooks {
  ObjectOutputStream stream();

  /** Whether a program overrides methods that {@code writeObject} methods call. */
  boolean overridesCalls();

  @Nullable Object replaceObject(@Nullable Object object) throws IOException;

  /** Whether {@link #replaceObject} may return something else for an object of this class. */
  boolean mayReplace(Class<?> type);

  /** Whether a program overrides {@code annotateClass} or {@code annotateProxyClass}. */
  boolean overridesAnnotate();

  void annotateClass(Class<?> type) throws IOException;

  void annotateProxyClass(Class<?> type) throws IOException;

  /** Whether a program overrides {@code writeClassDescriptor}. */
  boolean overridesWriteClassDescriptor();

  void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException;

  /**
   * Access to objects of a class that carries its own marshalers (paper 3.7); null if they are not
   * complete.
   */
  @Nullable ObjectAccess awareAccess(Class<?> type);
}
