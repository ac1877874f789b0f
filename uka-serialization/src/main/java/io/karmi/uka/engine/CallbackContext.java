package io.karmi.uka.engine;

import java.io.NotActiveException;
import org.jspecify.annotations.Nullable;

/**
 * The object, and the class of its hierarchy, of one call of a {@code writeObject} or {@code
 * readObject} method, for {@code defaultWriteObject} and its like.
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

  /** Begins a call, by this thread. */
  public void begin(Object forObject, T ofLevel) {
    object = forObject;
    /* Mostly the same: a store into an old object costs a memory fence. */
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

  /** The object, for the first caller. */
  public Object take() throws NotActiveException {
    Object taken = object;
    if (taken == null || thread != Thread.currentThread()) {
      throw new NotActiveException("not in readObject invocation or fields already read");
    }
    object = null;
    return taken;
  }

  /** Ends the call. */
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
