package io.karmi.opentelemetry;

import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Finds the class that has the code of a method: the one of the object or a superclass of it. */
final class ImplementingClass {
  private final ClassValue<Map<String, String>> names =
      new ClassValue<>() {
        @Override
        protected Map<String, String> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /**
   * The binary name of the class that has a method's code.
   *
   * @param type the class of the object
   * @param signature name and descriptor of the method
   * @param otherwise what to return where no class has it, as with a default method
   */
  String nameOf(Class<?> type, String signature, String otherwise) {
    return names.get(type).computeIfAbsent(signature, wanted -> find(type, wanted, otherwise));
  }

  private static String find(Class<?> type, String signature, String otherwise) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (signature.equals(method.getName() + descriptor(method))) {
          return each.getName();
        }
      }
    }
    return otherwise;
  }

  private static String descriptor(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .toMethodDescriptorString();
  }
}
