package io.karmi.uka.engine;

import java.io.NotActiveException;
import org.jspecify.annotations.Nullable;

/**
 * Which object, and which class of its hierarchy, a {@code writeObject} or {@code readObject}
 * method is running for: what {@code defaultWriteObject} and its like act on. It serves one such
 * call at a time, in one thread; calls within that call have others.
 */
public final class CallbackContext<T> {
  /** Null unless {@link #thread} may still use the context. */
  private @Nullable Object object;

  private T level;
  private Thread thread;

  public CallbackContext(T level) {
    this.level = level;
    thread = Thread.currentThread();
  }

  /** A method is about to be called, by this thread. */
  public void begin(Object forObject, T ofLevel) {
    object = forObject;
    /* Mostly the same again; a store into an object that has lived long costs a memory fence. */
    if (level != ofLevel) {
      level = ofLevel;
    }
    Thread current = Thread.currentThread();
    if (thread != current) {
      thread = current;
    }
  }

  public T level() {
    return level;
  }

  /** The object, for the one call that may have it. */
  public Object take() throws NotActiveException {
    Object taken = object;
    if (taken == null || thread != Thread.currentThread()) {
      throw new NotActiveException("not in readObject invocation or fields already read");
    }
    object = null;
    return taken;
  }

  /** Uses the context up. */
  public void use() throws NotActiveException {
    take();
  }

  /** The method has returned, whether it used its context or not. */
  public void end() {
    object = null;
  }

  /** Refuses a method that goes on in another thread while its stream has moved on. */
  public void checkThread() throws NotActiveException {
    if (object != null && thread != Thread.currentThread()) {
      throw new NotActiveException(
          "expected thread: " + thread + ", but got: " + Thread.currentThread());
    }
  }
}
