package io.karmi.uka.format.uka;

import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Table of descriptions of the platform's classes that have a number in the UKA format, which takes
 * a byte. A class that this JDK describes otherwise is described in full.
 *
 * <p>The layer above has the one table of a JVM, and passes it to each reader and writer. {@link
 * UkaDescription} keeps a class's number with its description.
 */
public final class PlatformDescriptions {
  /** Numbers that fit into seven bits. */
  private static final int MAXIMUM = 128;

  private final Entry[] table;
  private final Map<String, Integer> numbers = new HashMap<>();

  /** Whether this JDK describes {@code Integer} and {@code Long} as the table does. */
  final boolean areNumbersUsual;

  /**
   * A class of the table.
   *
   * @param hasShortForm whether data of its objects has a short form
   */
  public record Entry(ClassDescription description, boolean hasShortForm) {}

  /**
   * Descriptions whose numbers are their places.
   *
   * @param entries at most 128
   */
  public PlatformDescriptions(List<Entry> entries) {
    if (entries.size() > MAXIMUM) {
      throw new IllegalArgumentException(entries.size() + " descriptions, of at most " + MAXIMUM);
    }
    table = entries.toArray(new Entry[0]);
    for (int i = 0; i < table.length; i++) {
      numbers.put(table[i].description.name, i);
    }
    areNumbersUsual =
        find(LocalClass.of(Integer.class).description()) >= 0
            && find(LocalClass.of(Long.class).description()) >= 0;
  }

  int size() {
    return table.length;
  }

  ClassDescription get(int number) {
    return table[number].description;
  }

  /** Whether data of objects with this description has a short form. */
  public boolean hasShortForm(ClassDescription description) {
    int number = find(description);
    return number >= 0 && table[number].hasShortForm;
  }

  /** Whether the description is the table's very own. */
  boolean holds(ClassDescription description) {
    Integer number = numbers.get(description.name);
    return number != null && table[number].description == description;
  }

  /** The number of an equal description, or -1. */
  int find(ClassDescription description) {
    Integer number = numbers.get(description.name);
    return number != null
            && description.serialVersionUid == get(number).serialVersionUid
            && description.sameLayout(get(number))
        ? number
        : -1;
  }
}
