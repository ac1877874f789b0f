package io.karmi.uka.engine.write;

import io.karmi.uka.platform.Permitted;
import io.karmi.uka.type.LocalClass;
import java.io.NotSerializableException;

/**
 * The fields and elements by which an object was reached that is not serializable.
 *
 * <p>It is kept if {@code sun.io.serialization.extendedDebugInfo} is true when the first object is
 * written ({@link KeptPath}). This one keeps nothing: as long as no other class is loaded, its
 * empty methods cost nothing.
 */
public class FailurePath {
  public static final boolean IS_KEPT = Permitted.hasFlag("sun.io.serialization.extendedDebugInfo");

  /** Of all streams that keep none. */
  private static final FailurePath NONE = new FailurePath();

  /** The path of a new stream. */
  public static FailurePath begin() {
    return IS_KEPT ? new KeptPath() : NONE;
  }

  /** Whether steps are kept; then all objects take the general path. */
  public boolean isKept() {
    return false;
  }

  /** Number of steps. */
  public int length() {
    return 0;
  }

  /** Goes back to a length that it had. */
  public void cut(int length) {}

  public void enterObject(Object object) {}

  public void enterArray(Object[] array) {}

  public void enterElement(int index) {}

  public void enterField(LocalClass level, int index) {}

  public void enterWriteObject(String className) {}

  public void enterWriteExternal() {}

  public void leave() {}

  /** The error for an object of this class, which is not serializable. */
  public NotSerializableException refuse(String className) {
    return new NotSerializableException(className);
  }
}
