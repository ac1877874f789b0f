package io.karmi.uka.engine.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An object or array some of whose references {@link DeepReader} has still to read. */
public abstract class HalfRead {
  public final ReadType type;
  public final boolean unshared;
  public int handle;

  public HalfRead(ReadType type, boolean unshared) {
    this.type = type;
    this.unshared = unshared;
  }

  /** Goes to the next reference and reads primitives before it; false if there is none. */
  public abstract boolean advance(ReadContext in) throws IOException;

  public abstract boolean isNextUnshared();

  /** Keeps the value of the next reference; its handle is the current one. */
  public abstract void accept(ReadContext in, @Nullable Object value);

  /** Completes the object. Its handle is the current one. */
  public abstract @Nullable Object complete(ReadContext in) throws IOException;
}
