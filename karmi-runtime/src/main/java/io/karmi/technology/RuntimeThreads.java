package io.karmi.technology;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * Factory of the runtime's own threads: in a group of their own, with the system's class loader,
 * and with nothing inherited from the application.
 *
 * <p>The group lies beneath the topmost one. In the topmost one a program that they call back could
 * not start threads under a security manager.
 */
public final class RuntimeThreads {
  private RuntimeThreads() {}

  /**
   * Starts a thread.
   *
   * @param daemon false if the JVM must live as long as it runs
   */
  public static Thread start(String name, Runnable work, boolean daemon) {
    Thread thread = make(name, work, daemon);
    thread.start();
    return thread;
  }

  /** Makes a thread that is started elsewhere. */
  @SuppressWarnings("removal") // a thread is permitted what its maker is: a manager may come later
  public static Thread make(String name, Runnable work, boolean daemon) {
    return AccessController.doPrivileged(
        (PrivilegedAction<Thread>) () -> makePermitted(name, work, daemon));
  }

  private static Thread makePermitted(String name, Runnable work, boolean daemon) {
    Thread thread = new RuntimeThread(Group.OWN, work, name);
    thread.setDaemon(daemon);
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    return thread;
  }

  private static final class Group {
    static final ThreadGroup OWN = new ThreadGroup(topmost(), "KaRMI");

    private static ThreadGroup topmost() {
      ThreadGroup group = Thread.currentThread().getThreadGroup();
      while (group.getParent() != null) {
        group = group.getParent();
      }
      return group;
    }
  }

  /** Starts a virtual thread if the JDK has them (21 and later), and otherwise a daemon thread. */
  public static Thread startVirtual(String name, Runnable work) {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      type.getMethod("name", String.class).invoke(builder, name);
      type.getMethod("inheritInheritableThreadLocals", boolean.class).invoke(builder, false);
      return (Thread) type.getMethod("start", Runnable.class).invoke(builder, work);
    } catch (ReflectiveOperationException | UnsupportedOperationException e) {
      return start(name, work, true);
    }
  }
}
