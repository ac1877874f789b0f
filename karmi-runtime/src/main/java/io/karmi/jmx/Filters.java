package io.karmi.jmx;

import java.io.ObjectInputFilter;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters for what clients send, by the settings of the {@code rmi} connector.
 *
 * <p>Credentials come from a client that is not authenticated yet. Unless a setting says otherwise,
 * they are strings and arrays of strings: what the JDK's own authenticators take.
 */
final class Filters {
  private static final String CREDENTIALS = "jmx.remote.rmi.server.credentials.filter.pattern";
  private static final String CREDENTIAL_TYPES = "jmx.remote.rmi.server.credential.types";
  private static final String PARAMETERS = "jmx.remote.rmi.server.serial.filter.pattern";

  private static final String STRINGS = "maxarray=1000;java.lang.String;!*";

  private final @Nullable ObjectInputFilter credentials;
  private final @Nullable ObjectInputFilter parameters;

  /**
   * The filters that these settings describe.
   *
   * @throws IllegalArgumentException if both settings for credentials are there, or a pattern is
   *     none
   */
  Filters(Map<String, ?> environment) {
    Object pattern = environment.get(CREDENTIALS);
    Object types = environment.get(CREDENTIAL_TYPES);
    if (pattern != null && types != null) {
      throw new IllegalArgumentException(
          CREDENTIAL_TYPES + " and " + CREDENTIALS + " are both set");
    }
    credentials =
        types == null
            ? ObjectInputFilter.Config.createFilter(pattern == null ? STRINGS : (String) pattern)
            : ofTypes((String[]) types);
    Object ofParameters = environment.get(PARAMETERS);
    parameters =
        ofParameters == null ? null : ObjectInputFilter.Config.createFilter((String) ofParameters);
  }

  /** Allows these alone; an array must be named as such, {@code [Ljava.lang.String;}. */
  private static ObjectInputFilter ofTypes(String... names) {
    Set<String> allowed = Set.copyOf(java.util.Arrays.asList(names));
    return info -> {
      Class<?> type = info.serialClass();
      if (type == null) {
        return ObjectInputFilter.Status.UNDECIDED;
      }
      return allowed.contains(type.getName())
          ? ObjectInputFilter.Status.ALLOWED
          : ObjectInputFilter.Status.REJECTED;
    };
  }

  /** For what a client shows to be let in. */
  @Nullable ObjectInputFilter ofCredentials() {
    return credentials;
  }

  /** For the parameters of a client's calls; null if all are let through. */
  @Nullable ObjectInputFilter ofParameters() {
    return parameters;
  }
}
