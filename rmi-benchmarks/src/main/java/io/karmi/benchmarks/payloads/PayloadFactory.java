package io.karmi.benchmarks.payloads;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes the argument of a kernel such as {@code obj ping(obj)}.
 *
 * <p>A program of yours adds one by a public class with a public constructor without parameters,
 * named to {@code karmi-bench} by {@code --payloads}, and found on {@code --class-path}. Both JVMs
 * of a benchmark have that class path.
 */
public interface PayloadFactory {
  /** The name in the tables, such as {@code int[50]}; one line, without semicolon. */
  String title();

  /** A fresh object; each call's is equal to every other's. */
  @Nullable Object create();

  /** Is {@code result} what {@link #create} makes? Arrays are compared by content. */
  default boolean isEqualTo(@Nullable Object result) {
    return Objects.deepEquals(create(), result);
  }
}
