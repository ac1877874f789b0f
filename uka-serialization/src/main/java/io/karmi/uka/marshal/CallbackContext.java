package io.karmi.uka.marshal;

import java.io.NotActiveException;

/**
 * Which object, and which class of its hierarchy, a {@code writeObject} or {@code readObject}
 * method is running for: what {@code defaultWriteObject} and its like act on. It serves one such
 * call, in one thread.
 */
final class CallbackContext<T> {
  private final Object object;
  private final T level;
  private Thread owner = Thread.currentThread();

  CallbackContext(Object object, T level) {
    this.object = object;
    this.level = level;
  }

  T level() {
    return level;
  }

  /** The object, for the one call that may have it. */
  Object take() throws NotActiveException {
    use();
    return object;
  }

  /** Uses the context up. */
  void use() throws NotActiveException {
    if (owner != Thread.currentThread()) {
      throw new NotActiveException("not in readObject invocation or fields already read");
    }
    owner = null;
  }

  /** The method has returned, whether it used its context or not. */
  void end() {
    owner = null;
  }

  /** Refuses a method that goes on in another thread while its stream has moved on. */
  void checkThread() throws NotActiveException {
    if (owner != null && owner != Thread.currentThread()) {
      throw new NotActiveException(
          "expected thread: " + owner + ", but got: " + Thread.currentThread());
    }
  }
}
