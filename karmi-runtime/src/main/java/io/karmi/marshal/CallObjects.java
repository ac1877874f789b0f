package io.karmi.marshal;

import java.util.Map;

/** Common parts of the object streams of all formats. */
final class CallObjects {
  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "byte", byte.class,
          "char", char.class,
          "short", short.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class,
          "void", void.class);

  private CallObjects() {}

  /**
   * The stub of an exported object, or the object itself. An object that is replaced is pinned:
   * until the receiver has registered the stub, this message is the only reference to it.
   */
  static Object toStub(CallOutput call, Object object) {
    Object stub = call.translation().toStub(object);
    if (stub != object) {
      call.pin(object);
    }
    return stub;
  }

  /** The class with that name as the callee's side sees it. */
  static Class<?> resolveClass(CallInput call, String name) throws ClassNotFoundException {
    Class<?> primitive = PRIMITIVES.get(name);
    return primitive != null
        ? primitive
        : call.translation().resolveClass(name, call.defaultLoader());
  }
}
