package io.karmi.exchange.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Notes of what a member, a host or a group may have to do with, so that its end looks at nothing
 * else. A note may be out of date: those are dropped when the list has doubled, or half of it may
 * be. Guarded by the table.
 */
final class Noted<T> {
  private static final int FIRST_LENGTH = 16;

  private List<T> all = new ArrayList<>(1);
  private int limit = FIRST_LENGTH;

  /** How many notes may be out of date. */
  private int dated;

  /**
   * Adds a note.
   *
   * @param isCurrent whether a note is up to date
   */
  void add(T one, Predicate<T> isCurrent) {
    if (all.size() >= limit) {
      dropDated(isCurrent);
    }
    all.add(one);
  }

  /** One more note may be out of date; as often as half of the list, this looks at all of it. */
  void dates(Predicate<T> isCurrent) {
    if (++dated > all.size() / 2) {
      dropDated(isCurrent);
    }
  }

  private void dropDated(Predicate<T> isCurrent) {
    Set<T> current = new LinkedHashSet<>(all);
    current.removeIf(isCurrent.negate());
    all = new ArrayList<>(current);
    limit = Math.max(FIRST_LENGTH, 2 * all.size());
    dated = 0;
  }

  /** A copy of all notes; some may be there twice. */
  List<T> all() {
    return List.copyOf(all);
  }
}
