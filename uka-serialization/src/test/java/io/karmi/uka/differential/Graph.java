package io.karmi.uka.differential;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Writes an object graph as text: values, classes and who is the same object as whom.
 *
 * <p>Every object gets a number when it is met first, {@code Node#1{next=#1}}; two graphs have the
 * same text exactly if they have the same shape and values. Classes of the JDK hide their fields;
 * those are shown by their public face, and subclasses of them by both.
 */
final class Graph {

  private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
  private final StringBuilder text = new StringBuilder();

  private Graph() {}

  static String describe(Object root) {
    Graph graph = new Graph();
    graph.add(root);
    return graph.text.toString();
  }

  private void add(Object value) {
    if (value == null) {
      text.append("null");
      return;
    }
    Integer known = numbers.putIfAbsent(value, numbers.size() + 1);
    if (known != null) {
      text.append('#').append(known);
      return;
    }
    text.append(nameOf(value)).append('#').append(numbers.size());
    if (value instanceof Enum<?> constant) {
      text.append('.').append(constant.name());
    } else if (value instanceof Throwable thrown) {
      addThrowable(thrown);
    } else if (Proxy.isProxyClass(value.getClass())) {
      addProxy(value);
    } else if (value.getClass().isArray()) {
      addArray(value);
    } else {
      addContents(value);
      addFields(value);
    }
  }

  /** What a collection that is only half made shows before it fails is part of what is seen. */
  private void addContents(Object value) {
    try {
      addElements(value);
    } catch (RuntimeException e) {
      text.append(" fails: ").append(e.getClass().getName());
    }
  }

  private static String nameOf(Object value) {
    Class<?> type = value.getClass();
    if (type.isHidden()) {
      return "hidden" + Arrays.toString(type.getInterfaces());
    }
    return Proxy.isProxyClass(type) ? "proxy" : type.getName();
  }

  private void addProxy(Object proxy) {
    text.append(Arrays.toString(proxy.getClass().getInterfaces()));
    InvocationHandler handler = Proxy.getInvocationHandler(proxy);
    add(handler);
  }

  private void addArray(Object array) {
    text.append('[');
    for (int i = 0; i < Array.getLength(array); i++) {
      text.append(i == 0 ? "" : ", ");
      if (array.getClass().getComponentType().isPrimitive()) {
        text.append(Array.get(array, i));
      } else {
        add(Array.get(array, i));
      }
    }
    text.append(']');
  }

  private void addThrowable(Throwable thrown) {
    text.append('(').append(thrown.getMessage());
    for (StackTraceElement frame : thrown.getStackTrace()) {
      text.append(" at ").append(frame);
    }
    text.append(" cause ");
    add(thrown.getCause());
    for (Throwable suppressed : thrown.getSuppressed()) {
      text.append(" suppressed ");
      add(suppressed);
    }
    text.append(')');
    addFields(thrown);
  }

  private void addElements(Object value) {
    if (value instanceof Map<?, ?> map) {
      text.append('{');
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        add(entry.getKey());
        text.append('=');
        add(entry.getValue());
        text.append("; ");
      }
      text.append('}');
    } else if (value instanceof Collection<?> collection) {
      text.append('[');
      for (Object element : collection) {
        add(element);
        text.append("; ");
      }
      text.append(']');
    } else if (value instanceof Map.Entry<?, ?> entry) {
      text.append('(');
      add(entry.getKey());
      text.append('=');
      add(entry.getValue());
      text.append(')');
    } else if (isOfTheJdk(value.getClass())) {
      addText(value);
    }
  }

  /** Printable text, since lone surrogates and control characters would not survive a report. */
  private void addText(Object value) {
    String shown = value.toString();
    text.append('(');
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      if (c >= ' ' && c <= '~') {
        text.append(c);
      } else {
        text.append("\\u").append(Integer.toHexString(c));
      }
    }
    text.append(')');
  }

  private void addFields(Object value) {
    for (Class<?> level = value.getClass(); !isOfTheJdk(level); level = level.getSuperclass()) {
      text.append(" {");
      if (level != value.getClass()) {
        text.append(level.getSimpleName()).append(": ");
      }
      for (Field field : sortedFields(level)) {
        addField(value, field);
      }
      text.append('}');
    }
  }

  private void addField(Object owner, Field field) {
    if (Modifier.isStatic(field.getModifiers())
        || field.isSynthetic() && field.getName().startsWith("$")) {
      return;
    }
    text.append(field.getName()).append('=');
    try {
      field.setAccessible(true);
      if (field.getType().isPrimitive()) {
        text.append(field.get(owner));
      } else {
        add(field.get(owner));
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      text.append("hidden");
    }
    text.append(' ');
  }

  private static Field[] sortedFields(Class<?> type) {
    Field[] fields = type.getDeclaredFields();
    Arrays.sort(fields, (a, b) -> a.getName().compareTo(b.getName()));
    return fields;
  }

  private static boolean isOfTheJdk(Class<?> type) {
    return type.getModule().isNamed();
  }
}
