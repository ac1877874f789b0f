package io.karmi.uka;

import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/**
 * What a subclass of the output stream has made its own, so that the short way is closed.
 *
 * @param writeClassDescriptor whether it describes classes itself
 * @param annotateClass whether it adds to what is said about classes
 * @param calls whether it sees what {@code writeObject} methods write
 */
record OutputOverrides(boolean writeClassDescriptor, boolean annotateClass, boolean calls) {
  private static final ClassValue<OutputOverrides> KNOWN =
      new ClassValue<>() {
        @Override
        protected OutputOverrides computeValue(Class<?> type) {
          Class<?> stream = ObjectOutputStream.class;
          return new OutputOverrides(
              Overrides.overrides(type, stream, "writeClassDescriptor", ObjectStreamClass.class),
              Overrides.overrides(type, stream, "annotateClass", Class.class),
              Overrides.overridesCalls(type, stream));
        }
      };

  static OutputOverrides of(Class<?> streamType) {
    return KNOWN.get(streamType);
  }
}
