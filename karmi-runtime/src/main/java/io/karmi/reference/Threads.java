package io.karmi.reference;

/** Makes the runtime's own threads: in the topmost group, and with nothing inherited from an application. */
final class Threads {
  private Threads() {}

  static Thread start(String name, Runnable work, boolean daemon) {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    Thread thread = new Thread(group, work, name, 0, false);
    thread.setDaemon(daemon);
    thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
    thread.start();
    return thread;
  }
}
