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

  private static final OutputOverrides NONE = new OutputOverrides(false, false, false, false);

  /**
   * Those of a stream's class.
   *
   * @param own a class of the library's, which overrides none
   */
  static OutputOverrides of(Class<?> streamType, Class<?> own) {
    return streamType == own ? NONE : KNOWN.get(streamType);
  }
}
