package io.karmi.stub;

import io.karmi.reference.Privileged;
import io.karmi.stubgen.emit.Emitter;
import io.karmi.uka.platform.CodeGeneration;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.rmi.server.RemoteObject;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opener of methods of remote interfaces, so that KaRMI can access them.
 *
 * <p>A module may export or open the package of an interface to {@code java.rmi} alone, as stock
 * RMI asks for. KaRMI is in another module. Where java.rmi is open to it, under the agent and on
 * the boot path, it defines a class of one method in java.rmi that makes methods accessible. Where
 * no class may be defined, the {@link HomeModule} of the interface gives KaRMI access to what
 * java.rmi sees. Thread-safe.
 */
final class MethodOpener {
  private static final System.Logger LOG = System.getLogger("io.karmi.stub");

  private MethodOpener() {}

  /**
   * The same method, accessible.
   *
   * @throws InaccessibleObjectException if stock RMI could not invoke it either, or the JDK lets
   *     KaRMI neither ask in the name of java.rmi nor see what java.rmi sees
   */
  static Method open(Method method) {
    return Privileged.get(() -> permitted(method));
  }

  private static Method permitted(Method method) {
    try {
      method.setAccessible(true);
    } catch (InaccessibleObjectException e) {
      if (OfJavaRmi.OPENER != null) {
        OfJavaRmi.OPENER.accept(method);
      } else {
        new HomeModule(method.getDeclaringClass()).letKarmiInvoke(method);
        method.setAccessible(true);
      }
    }
    return method;
  }

  /** Defined when the first interface needs it. */
  private static final class OfJavaRmi {
    static final @Nullable Consumer<AccessibleObject> OPENER = Privileged.get(OfJavaRmi::define);

    @SuppressWarnings("unchecked") // what the emitted class consumes
    private static @Nullable Consumer<AccessibleObject> define() {
      if (CodeGeneration.IS_OFF) {
        return null;
      }
      try {
        return (Consumer<AccessibleObject>)
            MethodHandles.privateLookupIn(RemoteObject.class, MethodHandles.lookup())
                .defineClass(Emitter.opener("java.rmi.server.KarmiMethodOpener").bytes())
                .getConstructor()
                .newInstance();
      } catch (ReflectiveOperationException | LinkageError e) {
        LOG.log(Level.DEBUG, "java.rmi is not open to KaRMI", e);
        return null;
      }
    }
  }
}
