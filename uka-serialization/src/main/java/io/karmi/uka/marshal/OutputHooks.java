package io.karmi.uka.marshal;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

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

  Object replaceObject(Object object) throws IOException;

  void annotateClass(Class<?> type) throws IOException;

  void annotateProxyClass(Class<?> type) throws IOException;

  /** Whether a program writes class descriptors its own way. */
  boolean overridesWriteClassDescriptor();

  void writeClassDescriptor(ObjectStreamClass descriptor) throws IOException;

  /**
   * Whether {@link #marshalAware} writes all fields of such objects, those of every superclass
   * included.
   */
  boolean isAware(Class<?> type);

  /** Lets a class that carries its own marshalers write its fields (paper 3.7). */
  void marshalAware(Object object) throws IOException;
}
