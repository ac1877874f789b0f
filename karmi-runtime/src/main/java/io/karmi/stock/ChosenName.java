package io.karmi.stock;

import io.karmi.id.JrmpName;
import java.io.ObjectInputFilter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.rmi.server.ObjID;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Export on stock RMI under a {@linkplain JrmpName name} that KaRMI chooses. Stock RMI draws names
 * itself where java.rmi is not KaRMI's to change: in a rewritten jar.
 */
final class ChosenName {
  private static final String REFERENCE = "sun.rmi.server.UnicastServerRef2";
  private static final String NAMED = "sun.rmi.transport.LiveRef";

  /** Whether this JVM lets KaRMI choose the names of what stock RMI exports. */
  static final boolean ARE_POSSIBLE = isExported(REFERENCE) && isExported(NAMED);

  private ChosenName() {}

  private static boolean isExported(String type) {
    try {
      Class<?> found = Class.forName(type, false, null);
      return found.getModule().isExported(found.getPackageName(), ChosenName.class.getModule());
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Exports an object on stock RMI under a name.
   *
   * <p>The class may be one of java.rmi, whose own way to export it would change its reference, and
   * so the hash code that KaRMI has given it already.
   */
  static Remote export(
      JrmpName name,
      Remote object,
      int port,
      RMIServerSocketFactory sockets,
      @Nullable ObjectInputFilter filter)
      throws RemoteException {
    try {
      Class<?> named = Class.forName(NAMED);
      Constructor<?> maker =
          named.getConstructor(
              ObjID.class, int.class, RMIClientSocketFactory.class, RMIServerSocketFactory.class);
      Object live = maker.newInstance(StockNumbers.toObjId(name.id()), port, null, sockets);
      Class<?> type = Class.forName(REFERENCE);
      Object reference =
          type.getConstructor(named, ObjectInputFilter.class).newInstance(live, filter);
      return (Remote)
          type.getMethod("exportObject", Remote.class, Object.class, boolean.class)
              .invoke(reference, object, null, false);
    } catch (InvocationTargetException e) {
      throw thrown(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new ExportException("cannot reach " + REFERENCE + " of stock RMI", e);
    }
  }

  private static RemoteException thrown(@Nullable Throwable problem) {
    if (problem instanceof RuntimeException) {
      throw (RuntimeException) problem;
    }
    if (problem instanceof Error) {
      throw (Error) problem;
    }
    return problem instanceof RemoteException
        ? (RemoteException) problem
        : new ExportException("stock RMI cannot export an object", (Exception) problem);
  }
}
