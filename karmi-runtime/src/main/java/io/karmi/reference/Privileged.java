package io.karmi.reference;

import java.io.IOException;
import java.net.BindException;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import org.jspecify.annotations.Nullable;

/**
 * Work with the runtime's own permissions, for JDKs before 24 with a security manager. The runtime
 * needs permissions to load and define classes and to start threads. As with stock RMI, the program
 * that exports or calls does not. No method of a program may run inside.
 */
public final class Privileged {
  private Privileged() {}

  /** Work that is done with the library's permissions, for any caller. */
  public interface Work<T> extends PrivilegedExceptionAction<T> {
    @Override
    T run() throws IOException;
  }

  /** Does work with the runtime's permissions. */
  @SuppressWarnings("removal")
  public static <T> T call(Work<T> work) throws IOException {
    if (System.getSecurityManager() == null) {
      return work.run();
    }
    try {
      return AccessController.doPrivileged((PrivilegedExceptionAction<T>) work);
    } catch (PrivilegedActionException e) {
      throw (IOException) e.getException();
    }
  }

  /** The same for work that cannot fail. */
  @SuppressWarnings("removal")
  public static <T> T get(PrivilegedAction<T> work) {
    return System.getSecurityManager() == null ? work.run() : AccessController.doPrivileged(work);
  }

  /** Sets the loader with which a program's code runs. */
  @SuppressWarnings("removal")
  public static void setContextLoader(Thread thread, @Nullable ClassLoader loader) {
    if (System.getSecurityManager() == null) {
      thread.setContextClassLoader(loader);
    } else {
      AccessController.doPrivileged(
          (PrivilegedAction<Void>)
              () -> {
                thread.setContextClassLoader(loader);
                return null;
              });
    }
  }

  /**
   * Does work that listens at a port, for a program that may do so.
   *
   * @throws ExportException if the port is in use, or cannot be listened at
   * @throws SecurityException if the program may not
   */
  public static <T> T listen(int port, Work<T> work) throws RemoteException {
    checkListen(port);
    try {
      return call(work);
    } catch (RemoteException e) {
      throw e;
    } catch (BindException e) {
      throw new ExportException("Port already in use: " + port, e);
    } catch (IOException e) {
      throw new ExportException("Listen failed on port: " + port, e);
    }
  }

  @SuppressWarnings("removal")
  private static void checkListen(int port) {
    SecurityManager manager = System.getSecurityManager();
    if (manager != null) {
      manager.checkListen(port);
    }
  }
}
