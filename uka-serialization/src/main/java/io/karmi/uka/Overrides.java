package io.karmi.uka;

import java.io.ObjectStreamClass;

/**
 * Which costly callbacks a subclass of the input stream has made its own. Where it has not, no
 * {@link ObjectStreamClass} is made for them.
 */
record Overrides(boolean resolveClass, boolean readClassDescriptor, boolean readStreamHeader) {
  private static final ClassValue<Overrides> KNOWN =
      new ClassValue<>() {
        @Override
        protected Overrides computeValue(Class<?> type) {
          return new Overrides(
              overrides(type, UkaObjectInputStream.class, "resolveClass", ObjectStreamClass.class),
              overrides(type, UkaObjectInputStream.class, "readClassDescriptor"),
              overrides(type, UkaObjectInputStream.class, "readStreamHeader"));
        }
      };

  static Overrides of(Class<?> streamType) {
    return KNOWN.get(streamType);
  }

  /** Whether a subclass of a stream declares the method itself. */
  static boolean overrides(
      Class<?> streamType, Class<?> stream, String method, Class<?>... parameters) {
    for (Class<?> type = streamType; type != stream; type = type.getSuperclass()) {
      try {
        return type.getDeclaredMethod(method, parameters) != null;
      } catch (NoSuchMethodException e) {
        continue;
      } catch (LinkageError e) {
        /* Some other method of the class names a class that is missing: be careful. */
        return true;
      }
    }
    return false;
  }
}
