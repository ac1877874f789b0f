package io.karmi.uka.engine.write;

import io.karmi.uka.platform.Permitted;
import io.karmi.uka.type.LocalClass;
import java.io.NotSerializableException;

/**
 * Path of fields and elements to an object that is not serializable.
 *
 * <p>{@link KeptPath} keeps it if {@code sun.io.serialization.extendedDebugInfo} is true when the
 * first object is written. This class keeps nothing; its empty methods cost nothing as long as that
 * one is not loaded.
 */
public class FailurePath {
  public static final boolean IS_KEPT = Permitted.hasFlag("sun.io.serialization.extendedDebugInfo");

  /** Path of all streams that keep none. */
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

  /** Goes back to an earlier length. */
  public void cut(int length) {}

  public void enterObject(Object object) {}

  public void enterArray(Object[] array) {}

  public void enterElement(int index) {}

  public void enterField(LocalClass level, int index) {}

  public void enterWriteObject(String className) {}

  public void enterWriteExternal() {}

  public void leave() {}

  /** The error for an object of a class that is not serializable. */
  public NotSerializableException refuse(String className) {
    return new NotSerializableException(className);
  }
}
