package io.karmi.uka;

import java.io.ObjectStreamClass;

/**
 * What a subclass of the output stream has made its own, so that the short way is closed.
 *
 * @param writeClassDescriptor whether it describes classes itself
 * @param calls whether it sees what {@code writeObject} methods write
 */
record OutputOverrides(boolean writeClassDescriptor, boolean calls) {
  private static final ClassValue<OutputOverrides> KNOWN =
      new ClassValue<>() {
        @Override
        protected OutputOverrides computeValue(Class<?> type) {
          return new OutputOverrides(
              Overrides.overrides(
                  type,
                  UkaObjectOutputStream.class,
                  "writeClassDescriptor",
                  ObjectStreamClass.class),
              Overrides.overridesCalls(type, UkaObjectOutputStream.class));
        }
      };

  static OutputOverrides of(Class<?> streamType) {
    return KNOWN.get(streamType);
  }
}
