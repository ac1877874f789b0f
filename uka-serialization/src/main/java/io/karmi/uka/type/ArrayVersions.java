package io.karmi.uka.type;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code serialVersionUID} of the array classes that nearly every stream holds. It follows from
 * the class's name and modifiers, so that it is the same everywhere; to have the JDK compute the
 * first one of a JVM takes longer than to write some thousand messages.
 */
public final class ArrayVersions {
  private static final Map<String, Long> VERSIONS =
      Map.of(
          "[Z", 6309297032502205922L,
          "[B", -5984413125824719648L,
          "[C", -5753798564021173076L,
          "[S", -1188055269542874886L,
          "[I", 5600894804908749477L,
          "[J", 8655923659555304851L,
          "[F", 836686056779680834L,
          "[D", 4514449696888150558L,
          "[Ljava.lang.String;", -5921575005990323385L,
          "[Ljava.lang.Object;", -8012369246846506644L);

  private ArrayVersions() {}

  /** The version of the class of this name; null if it is none of these. */
  public static @Nullable Long of(String name) {
    return VERSIONS.get(name);
  }
}
