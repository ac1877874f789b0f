package io.karmi.uka;

import java.io.ObjectStreamClass;

/**
 * Which costly callbacks a subclass of the input stream has made its own. Where it has not, no {@link ObjectStreamClass} is
 * made for them.
 */
record InputOverrides(boolean resolveClass, boolean readClassDescriptor) {
  private static final ClassValue<InputOverrides> KNOWN =
      new ClassValue<>() {
        @Override
        protected InputOverrides computeValue(Class<?> type) {
          return new InputOverrides(
              overrides(type, "resolveClass", ObjectStreamClass.class),
              overrides(type, "readClassDescriptor"));
        }
      };

  static InputOverrides of(Class<?> streamType) {
    return KNOWN.get(streamType);
  }

  private static boolean overrides(Class<?> streamType, String method, Class<?>... parameters) {
    for (Class<?> type = streamType;
        type != UkaObjectInputStream.class;
        type = type.getSuperclass()) {
      try {
        type.getDeclaredMethod(method, parameters);
        return true;
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
