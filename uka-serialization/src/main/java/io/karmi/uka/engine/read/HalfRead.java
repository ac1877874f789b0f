package io.karmi.uka.engine.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An object or array of which some references are still to be read, by {@link DeepReader}. */
public abstract class HalfRead {
  public final ReadType type;
  public final boolean unshared;
  public int handle;

  public HalfRead(ReadType type, boolean unshared) {
    this.type = type;
    this.unshared = unshared;
  }

  /** Goes to the next reference, reading primitives on the way; false if there is none. */
  public abstract boolean advance(ReadContext in) throws IOException;

  public abstract boolean isNextUnshared();

  /** Takes the value of the next reference, whose handle is the current one. */
  public abstract void accept(ReadContext in, @Nullable Object value);

  /** Makes an object of what has been read. Its handle is the current one. */
  public abstract @Nullable Object complete(ReadContext in) throws IOException;
}
