package io.karmi.stub;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.ExactTypes;
import io.karmi.reference.Skeleton;
import io.karmi.stubgen.model.RemoteMethod;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.UnmarshalException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Skeleton that calls methods by reflection, for interfaces whose types no generated class may
 * name. Thread-safe.
 */
final class ReflectiveSkeleton extends Skeleton {
  private final Method[] byNumber;

  ReflectiveSkeleton(
      RemoteInterface remoteInterface, Class<?>[] interfaces, List<RemoteMethod> methods) {
    super(remoteInterface);
    byNumber = new Method[methods.size()];
    for (int number = 0; number < byNumber.length; number++) {
      byNumber[number] = find(methods.get(number), interfaces);
    }
  }

  private static Method find(RemoteMethod wanted, Class<?>... interfaces) {
    for (Class<?> type : interfaces) {
      for (Method method : type.getMethods()) {
        if (method.getName().equals(wanted.name())
            && descriptor(method).equals(wanted.descriptor())) {
          return MethodOpener.open(method);
        }
      }
    }
    throw new IllegalArgumentException("no method " + wanted.signature());
  }

  private static String descriptor(Method method) {
    return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
        .toMethodDescriptorString();
  }

  @Override
  public void upCall(Remote target, int methodNumber, CallInput in, CallOutput out)
      throws Throwable {
    if (methodNumber < 0 || methodNumber >= byNumber.length) {
      throw new UnmarshalException("invalid method number");
    }
    Method method = byNumber[methodNumber];
    Class<?>[] types = method.getParameterTypes();
    @Nullable Object[] arguments = new @Nullable Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = read(types[i], in);
    }
    in.endArguments();
    @Nullable Object result;
    try {
      result = method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
    if (method.getReturnType() == CompletableFuture.class) {
      result = outcome((CompletableFuture<?>) result);
    }
    out.beginResult();
    write(method.getReturnType(), result, out);
  }

  private static @Nullable Object read(Class<?> type, CallInput in)
      throws IOException, ClassNotFoundException {
    if (!type.isPrimitive()) {
      return ExactTypes.contains(type) ? in.readExactly(type) : in.readObject();
    }
    return switch (type.descriptorString().charAt(0)) {
      case 'Z' -> in.readBoolean();
      case 'B' -> in.readByte();
      case 'C' -> in.readChar();
      case 'S' -> in.readShort();
      case 'I' -> in.readInt();
      case 'J' -> in.readLong();
      case 'F' -> in.readFloat();
      default -> in.readDouble();
    };
  }

  private static void write(Class<?> type, @Nullable Object value, CallOutput out)
      throws IOException {
    if (!type.isPrimitive()) {
      out.writeObject(value);
    } else if (value != null) { // else it is void
      writePrimitive(type, value, out);
    }
  }

  private static void writePrimitive(Class<?> type, Object value, CallOutput out)
      throws IOException {
    switch (type.descriptorString().charAt(0)) {
      case 'Z' -> out.writeBoolean((Boolean) value);
      case 'B' -> out.writeByte((Byte) value);
      case 'C' -> out.writeChar((Character) value);
      case 'S' -> out.writeShort((Short) value);
      case 'I' -> out.writeInt((Integer) value);
      case 'J' -> out.writeLong((Long) value);
      case 'F' -> out.writeFloat((Float) value);
      default -> out.writeDouble((Double) value);
    }
  }
}
