package io.karmi.reference;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.ExactTypes;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.lang.reflect.Method;
import java.rmi.RemoteException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call described by a {@link Method} and an array of boxed arguments: the slow way, for proxies
 * and hand-written stubs. On the wire it is the same as any other call.
 */
final class ReflectiveCall extends Arguments {
  private final Class<?>[] types;
  private final @Nullable Object[] values;

  private ReflectiveCall(Class<?>[] types, @Nullable Object[] values) {
    this.types = types;
    this.values = values;
  }

  static @Nullable Object invoke(
      ApplicationCalls route,
      ObjectId id,
      RemoteInterface methods,
      int number,
      Method method,
      @Nullable Object @Nullable [] values,
      @Nullable ClassLoader from)
      throws RemoteException, ThrownByCallee {
    Class<?>[] types = method.getParameterTypes();
    Arguments all =
        types.length == 0 ? NONE : new ReflectiveCall(types, Objects.requireNonNull(values));
    switch (method.getReturnType().getName()) {
      case "void":
        route.voidApplicationCall(id, methods, number, all, from);
        return null;
      case "boolean":
        return route.bitsApplicationCall(Byte.BYTES, id, methods, number, all, from) != 0;
      case "byte":
        return (byte) route.bitsApplicationCall(Byte.BYTES, id, methods, number, all, from);
      case "char":
        return (char) route.bitsApplicationCall(Character.BYTES, id, methods, number, all, from);
      case "short":
        return (short) route.bitsApplicationCall(Short.BYTES, id, methods, number, all, from);
      case "int":
        return (int) route.bitsApplicationCall(Integer.BYTES, id, methods, number, all, from);
      case "long":
        return route.bitsApplicationCall(Long.BYTES, id, methods, number, all, from);
      case "float":
        return Float.intBitsToFloat(
            (int) route.bitsApplicationCall(Float.BYTES, id, methods, number, all, from));
      case "double":
        return Double.longBitsToDouble(
            route.bitsApplicationCall(Double.BYTES, id, methods, number, all, from));
      case "java.util.concurrent.CompletableFuture":
        return route.futureApplicationCall(id, methods, number, all, from);
      default:
        Class<?> result = method.getReturnType();
        return ExactTypes.contains(result)
            ? route.exactApplicationCall(id, methods, number, all, from, result)
            : route.objectApplicationCall(id, methods, number, all, from);
    }
  }

  @Override
  public void marshal(CallOutput out) throws IOException {
    for (int i = 0; i < types.length; i++) {
      write(out, types[i], values[i]);
    }
  }

  private static void write(CallOutput out, Class<?> type, @Nullable Object value)
      throws IOException {
    if (!type.isPrimitive()) {
      out.writeObject(value);
    } else {
      writePrimitive(out, type, Objects.requireNonNull(value));
    }
  }

  private static void writePrimitive(CallOutput out, Class<?> type, Object value)
      throws IOException {
    switch (type.getName()) {
      case "boolean":
        out.writeBoolean((Boolean) value);
        break;
      case "byte":
        out.writeByte((Byte) value);
        break;
      case "char":
        out.writeChar((Character) value);
        break;
      case "short":
        out.writeShort((Short) value);
        break;
      case "int":
        out.writeInt((Integer) value);
        break;
      case "long":
        out.writeLong((Long) value);
        break;
      case "float":
        out.writeFloat((Float) value);
        break;
      default:
        out.writeDouble((Double) value);
    }
  }
}
