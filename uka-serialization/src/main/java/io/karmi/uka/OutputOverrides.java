package io.karmi.uka;

import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/**
 * Methods that a subclass of the output stream overrides.
 *
 * @param calls whether it overrides methods that {@code writeObject} methods call
 */
record OutputOverrides(
    boolean writeClassDescriptor,
    boolean annotateClass,
    boolean annotateProxyClass,
    boolean calls) {
  private static final ClassValue<OutputOverrides> KNOWN =
      new ClassValue<>() {
        @Override
        protected OutputOverrides computeValue(Class<?> type) {
          Class<?> stream = ObjectOutputStream.class;
          return new OutputOverrides(
              Overrides.overrides(type, stream, "writeClassDescriptor", ObjectStreamClass.class),
              Overrides.overrides(type, stream, "annotateClass", Class.class),
              Overrides.overrides(type, stream, "annotateProxyClass", Class.class),
              Overrides.overridesCalls(type, stream));
        }
      };

  static OutputOverrides of(Class<?> streamType) {
    return KNOWN.get(streamType);
  }
}
