package wayback;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;

/** A graph as text: values, classes, and which object is the same as which. */
final class Shown {
  private final IdentityHashMap<Object, Integer> numbers = new IdentityHashMap<>();
  private final StringBuilder text = new StringBuilder();

  private Shown() {}

  static String of(Object root) throws ReflectiveOperationException {
    Shown shown = new Shown();
    shown.add(root);
    return shown.text.toString().replace("\n", "\\n");
  }

  private void add(Object value) throws ReflectiveOperationException {
    if (value == null) {
      text.append("null");
      return;
    }
    Integer known = numbers.putIfAbsent(value, numbers.size());
    if (known != null) {
      text.append('#').append(known);
      return;
    }
    Class<?> type = value.getClass();
    boolean proxy = Proxy.isProxyClass(type);
    text.append(proxy ? "proxy" : type.getName()).append('(');
    if (proxy) {
      add(Proxy.getInvocationHandler(value));
    } else if (type.isArray()) {
      for (int i = 0; i < Array.getLength(value); i++) {
        add(Array.get(value, i));
        text.append(' ');
      }
    } else if (value instanceof Collection) {
      for (Object each : (Collection<?>) value) {
        add(each);
        text.append(' ');
      }
    } else if (value instanceof Map) {
      for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
        add(each.getKey());
        text.append('=');
        add(each.getValue());
        text.append(' ');
      }
    } else if (type.getName().startsWith("wayback.") && !(value instanceof Enum)) {
      addFields(value, type);
    } else {
      text.append(value);
    }
    text.append(')');
  }

  private void addFields(Object value, Class<?> type) throws ReflectiveOperationException {
    for (Class<?> level = type; level != Object.class; level = level.getSuperclass()) {
      if (level == Record.class) {
        continue;
      }
      for (Field field : level.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
          field.setAccessible(true);
          text.append(field.getName()).append(':');
          add(field.get(value));
          text.append(' ');
        }
      }
    }
  }
}
