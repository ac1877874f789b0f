package io.karmi.uka.platform;

import java.io.ObjectStreamException;
import org.jspecify.annotations.Nullable;

/**
 * A serializable class of KaRMI's own that is replaced when it has been read. Its {@code
 * readResolve} does the same for the JDK's streams.
 *
 * <p>UKA's streams call it directly for the reason that {@link ReplacesItself} gives.
 */
public interface ResolvesItself {
  /** The object that the reader gets in its place. */
  @Nullable Object resolution() throws ObjectStreamException;
}
