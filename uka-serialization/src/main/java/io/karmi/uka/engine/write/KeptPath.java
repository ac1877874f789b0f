package io.karmi.uka.engine.write;

import io.karmi.uka.type.LocalClass;
import java.io.NotSerializableException;
import java.io.ObjectStreamField;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Path in the words of the JDK's streams, which call {@code toString} of each object, too. */
public final class KeptPath extends FailurePath {
  private final List<String> steps = new ArrayList<>();

  @Override
  public boolean isKept() {
    return true;
  }

  @Override
  public int length() {
    return steps.size();
  }

  @Override
  public void cut(int length) {
    steps.subList(length, steps.size()).clear();
  }

  @Override
  public void enterObject(Object object) {
    String root = steps.isEmpty() ? "root " : "";
    String name = object.getClass().getName();
    steps.add(root + "object (class \"" + name + "\", " + object + ")");
  }

  @Override
  public void enterArray(Object[] array) {
    String name = array.getClass().getName();
    steps.add("array (class \"" + name + "\", size: " + array.length + ")");
  }

  @Override
  public void enterElement(int index) {
    steps.add("element of array (index: " + index + ")");
  }

  @Override
  public void enterField(LocalClass level, int index) {
    ObjectStreamField field = level.streamClass().getFields()[index];
    String name = "\", name: \"" + field.getName();
    steps.add("field (class \"" + level.name + name + "\", type: \"" + field.getType() + "\")");
  }

  @Override
  public void enterWriteObject(String className) {
    steps.add("custom writeObject data (class \"" + className + "\")");
  }

  @Override
  public void enterWriteExternal() {
    steps.add("writeExternal data");
  }

  @Override
  public void leave() {
    steps.remove(steps.size() - 1);
  }

  @Override
  public NotSerializableException refuse(String className) {
    List<String> fromObject = new ArrayList<>(steps);
    Collections.reverse(fromObject);
    fromObject.replaceAll(step -> "\t- " + step);
    return new NotSerializableException(className + "\n" + String.join("\n", fromObject));
  }
}
