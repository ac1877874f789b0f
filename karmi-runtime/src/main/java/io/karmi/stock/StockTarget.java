package io.karmi.stock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.server.Unreferenced;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An exported object as stock RMI's collector has it: a class of the JDK, whose methods ask KaRMI
 * where the agent has changed them.
 */
final class StockTarget {
  private static final String NAME = "sun.rmi.transport.Target";

  /** The body of a lambda that tells the object; the compiler adds a number. */
  private static final String TELLS = "lambda$refSetRemove$";

  /** Returns the stub; null where KaRMI is not asked before an object is told. */
  private static final @Nullable MethodHandle STUB = stub();

  private StockTarget() {}

  private static @Nullable MethodHandle stub() {
    try {
      Class<?> type = Class.forName(NAME, false, null);
      if (Arrays.stream(type.getDeclaredMethods()).noneMatch(StockTarget::tells)) {
        return null;
      }
      return MethodHandles.lookup()
          .findVirtual(type, "getStub", MethodType.methodType(Remote.class))
          .asType(MethodType.methodType(Remote.class, Object.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private static boolean tells(Method method) {
    return method.getName().startsWith(TELLS)
        && method.getReturnType() == void.class
        && Arrays.equals(method.getParameterTypes(), new Class<?>[] {Unreferenced.class});
  }

  /** Its stub; null if it is not known, or KaRMI is not asked before the object is told. */
  static @Nullable Remote stub(Object target) {
    if (STUB == null) {
      return null;
    }
    try {
      return (Remote) STUB.invokeExact(target);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("stock RMI does not tell a stub", e);
    }
  }
}
