package io.karmi.benchmarks.payloads;

import java.util.ArrayList;
import java.util.List;

/** The payloads of this JVM: the paper's, and those that {@link #PROPERTY} names. */
public final class Payloads {
  /** The system property with the names of further {@link PayloadFactory} classes. */
  public static final String PROPERTY = "karmi.bench.payloads";

  private Payloads() {}

  /** All of them, the paper's first. */
  public static List<PayloadFactory> all() {
    List<PayloadFactory> all = new ArrayList<>(List.of(Payload.values()));
    for (String name : System.getProperty(PROPERTY, "").split(",")) {
      if (!name.isBlank()) {
        all.add(open(name.strip()));
      }
    }
    return all;
  }

  /**
   * The payload with this title.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PayloadFactory ofTitle(String title) {
    return all().stream()
        .filter(payload -> payload.title().equals(title))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no payload is called " + title));
  }

  private static PayloadFactory open(String name) {
    try {
      return (PayloadFactory) Class.forName(name).getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("no class " + name + " on the class path", e);
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalArgumentException(
          name + " is no PayloadFactory with a public constructor", e);
    }
  }
}
