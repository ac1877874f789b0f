package io.karmi.marshal;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call, as an object that the stub makes: the one object per call of the paper
 * (4.2).
 *
 * <p>A stub's arguments class keeps them in fields, unboxed. They are marshalled straight into the
 * memory of the technology that takes the call, and again only if the call has to leave on another
 * connection, because it did not leave on the first, or was not executed.
 */
public abstract class Arguments {
  /** No arguments. */
  public static final Arguments NONE =
      new Arguments() {
        @Override
        public void marshal(CallOutput out) {}
      };

  /** The header that interceptors send along with the call; mostly null, for none. */
  public @Nullable Map<String, String> header() {
    return null;
  }

  /**
   * Writes all arguments in order.
   *
   * @throws IOException if one cannot be serialized
   */
  public abstract void marshal(CallOutput out) throws IOException;
}
