package io.karmi.technology;

import org.jspecify.annotations.Nullable;

/**
 * Bounded number of threads for work that may take long: messages to peers, and callbacks of the
 * program. Thread-safe.
 *
 * <p>Threads are started when there is work for them and end after a while without. A task is never
 * lost: where no thread can be started it waits until one can ({@link ServiceThread}). What a task
 * throws ends that task alone.
 */
public final class Workers {
  private static final long IDLE_MILLIS = 5_000;

  private final String name;
  private final boolean daemons;
  private final @Nullable ServiceThread[] threads;

  /** Which of the threads take tasks; guarded by this object, as is the rest. */
  private final boolean[] active;

  private @Nullable Task head;
  private @Nullable Task tail;
  private int waiting;
  private int idle;

  /** Work that waits for a thread; entering it into the queue needs no memory. */
  public static final class Task {
    private final Runnable work;
    private @Nullable Task next;

    /** Makes a task, to be executed once. */
    public Task(Runnable work) {
      this.work = work;
    }
  }

  /**
   * Makes workers without a thread.
   *
   * @param name of their threads
   * @param most upper bound of threads
   */
  public Workers(String name, int most) {
    this(name, most, true);
  }

  /**
   * Makes workers without a thread.
   *
   * @param daemons false if the JVM must live until each task has ended; such threads wait for no
   *     further task
   */
  public Workers(String name, int most, boolean daemons) {
    this.name = name;
    this.daemons = daemons;
    threads = new ServiceThread[most];
    active = new boolean[most];
    threads[0] = makeThread(0);
  }

  private ServiceThread makeThread(int index) {
    return new ServiceThread(name, daemons, () -> work(index));
  }

  /** Executes something soon, in one of the threads. */
  public void execute(Runnable work) {
    execute(new Task(work));
  }

  /** Executes a task soon; does not fail, whatever the JVM is short of. */
  public synchronized void execute(Task task) {
    if (tail == null) {
      head = task;
    } else {
      tail.next = task;
    }
    tail = task;
    waiting++;
    if (idle >= waiting) {
      notify(); // whoever is woken takes a task, if there is one
    } else {
      activateOneMore();
    }
  }

  private void activateOneMore() {
    for (int i = 0; i < active.length; i++) {
      if (!active[i]) {
        activate(i);
        return;
      }
    }
  }

  /** The first service is there already; more are made when there is memory for them. */
  private void activate(int index) {
    try {
      ServiceThread thread = threads[index];
      if (thread == null) {
        thread = makeThread(index);
        threads[index] = thread;
      }
      active[index] = true;
      thread.ensureRunning();
    } catch (OutOfMemoryError e) {
      // those that are active execute the task in their turn
    }
  }

  private boolean work(int index) throws InterruptedException {
    Task task = take(index);
    if (task == null) {
      return false;
    }
    try {
      task.work.run();
    } finally {
      Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
    }
    return true;
  }

  /** The next task; null if none has come in time, and the thread is not active any more. */
  private synchronized @Nullable Task take(int index) throws InterruptedException {
    long deadline = System.nanoTime() + (daemons ? IDLE_MILLIS * 1_000_000 : 0);
    while (head == null) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        active[index] = false;
        return null;
      }
      idle++;
      try {
        wait(left);
      } finally {
        idle--;
      }
    }
    Task task = head;
    head = task.next;
    if (head == null) {
      tail = null;
    }
    waiting--;
    return task;
  }

  /** The number of tasks that wait for a thread. */
  public synchronized int waitingTasks() {
    return waiting;
  }
}
