package io.karmi.uka;

import java.io.IOException;

/**
 * What marshalers that were woven into a class call.
 *
 * <p>The same as the methods of the streams that hand-made ones call. But a program that knows
 * nothing of KaRMI may have a stream of its own, some levels below one that was rewired, with a
 * method that happens to look like one of those; what is called here cannot be overridden.
 */
public final class Woven {
  private Woven() {}

  /** As {@link UkaObjectOutputStream#writeReference}. */
  public static void writeReference(UkaObjectOutputStream out, Object object) throws IOException {
    out.marshalReference(object);
  }

  /** As {@link UkaObjectInputStream#register}. */
  public static void register(UkaObjectInputStream in, Object object) {
    in.registerUnmarshalled(object);
  }

  /** As {@link UkaObjectInputStream#readReference}. */
  public static Object readReference(UkaObjectInputStream in) throws IOException {
    return in.unmarshalReference();
  }

  /**
   * Checks that a value fits a field.
   *
   * @param declaring the class that has the field
   * @param object whose field it is
   * @throws ClassCastException naming the value's class, the field, its type and the object's class
   */
  public static void check(
      Object value, Class<?> fieldType, Class<?> declaring, String field, Object object) {
    if (value != null && !fieldType.isInstance(value)) {
      throw new ClassCastException(
          "cannot assign instance of "
              + value.getClass().getName()
              + " to field "
              + declaring.getName()
              + "."
              + field
              + " of type "
              + fieldType.getName()
              + " in instance of "
              + object.getClass().getName());
    }
  }
}
