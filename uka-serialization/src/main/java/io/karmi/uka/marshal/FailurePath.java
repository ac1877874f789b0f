package io.karmi.uka.marshal;

import io.karmi.uka.platform.Permitted;
import java.io.NotSerializableException;
import java.io.ObjectStreamField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * By which fields and elements an object was reached that is not serializable, in the words of the
 * JDK's streams. It is kept if {@code sun.io.serialization.extendedDebugInfo} is true when the
 * first object is written, and then nothing but the general path is taken, and {@code toString} of
 * each object called, as there.
 */
final class FailurePath {
  static final boolean IS_KEPT = Permitted.hasFlag("sun.io.serialization.extendedDebugInfo");

  /** Of a stream that keeps none: nobody looks at it. */
  static final FailurePath NONE = new FailurePath();

  private final List<String> steps = new ArrayList<>();

  /** How many steps there are. */
  int length() {
    return steps.size();
  }

  /** Goes back to where there were so many steps. */
  void cut(int length) {
    steps.subList(length, steps.size()).clear();
  }

  void enterObject(Object object) {
    String root = steps.isEmpty() ? "root " : "";
    String name = object.getClass().getName();
    steps.add(root + "object (class \"" + name + "\", " + object + ")");
  }

  void enterArray(Object[] array) {
    String name = array.getClass().getName();
    steps.add("array (class \"" + name + "\", size: " + array.length + ")");
  }

  void enterElement(int index) {
    steps.add("element of array (index: " + index + ")");
  }

  void enterField(String className, ObjectStreamField field) {
    steps.add(
        "field (class \""
            + className
            + "\", name: \""
            + field.getName()
            + "\", type: \""
            + field.getType()
            + "\")");
  }

  void enterWriteObject(String className) {
    steps.add("custom writeObject data (class \"" + className + "\")");
  }

  void enterWriteExternal() {
    steps.add("writeExternal data");
  }

  void leave() {
    steps.remove(steps.size() - 1);
  }

  /**
   * The error for an object of this class, which is not serializable.
   *
   * @param path how it was reached, if that is known
   */
  static NotSerializableException refuse(String className, FailurePath path) {
    if (path == NONE) {
      return new NotSerializableException(className);
    }
    List<String> fromObject = new ArrayList<>(path.steps);
    Collections.reverse(fromObject);
    fromObject.replaceAll(step -> "\t- " + step);
    return new NotSerializableException(className + "\n" + String.join("\n", fromObject));
  }
}
