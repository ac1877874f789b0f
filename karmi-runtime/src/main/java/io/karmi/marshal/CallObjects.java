package io.karmi.marshal;

import io.karmi.uka.platform.TypeCode;

/** Common parts of the object streams of all formats. */
final class CallObjects {
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
    Class<?> primitive = TypeCode.primitive(name);
    return primitive != null
        ? primitive
        : call.translation().resolveClass(name, call.defaultLoader());
  }
}
