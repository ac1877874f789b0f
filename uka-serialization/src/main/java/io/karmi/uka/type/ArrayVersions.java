package io.karmi.uka.type;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Table of the {@code serialVersionUID} of frequent array classes, which depends on name and
 * modifiers only. To have the JDK compute the first one takes longer than to write some thousand
 * messages.
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
