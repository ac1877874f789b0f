package io.karmi.exchange.server;

import io.karmi.exchange.directory.DroppedKey;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keys that were dropped, at this server or one before it. A member that has stood still may tell
 * of a binding that was dropped meanwhile: by its number it is known as such. All members are told,
 * for the server that follows. Guarded by the table.
 */
final class DroppedKeys {
  private static final DroppedKey[] NONE = {};

  private final Claims claims;
  private final Map<String, Note> byKey = new HashMap<>();
  private final NavigableMap<Integer, Note> byNumber = new TreeMap<>();
  private int last;

  DroppedKeys(Claims claims) {
    this.claims = claims;
  }

  /**
   * A key that is remembered.
   *
   * @param payer by whose word; null for what was dropped at this server
   */
  private record Note(DroppedKey dropped, @Nullable Object payer) {}

  /** Whether a binding was dropped. */
  boolean covers(String key, long order) {
    Note note = byKey.get(key);
    return note != null && order <= note.dropped.order();
  }

  /** A key was dropped here; the oldest one is forgotten for it if there are too many. */
  void add(String key, long order) {
    while (!claims.mayRemember(null)) {
      remove(byNumber.firstEntry().getValue());
    }
    put(key, order, null);
  }

  /** The same by the word of a member, if its host may tell of one more; whether it is new. */
  boolean add(String key, long order, Object payer) {
    if (covers(key, order) || !claims.mayRemember(payer)) {
      return false;
    }
    put(key, order, payer);
    return true;
  }

  private void put(String key, long order, @Nullable Object payer) {
    Note before = byKey.get(key);
    if (before != null) {
      remove(before);
    }
    Note note = new Note(new DroppedKey(key, order, ++last), payer);
    byKey.put(key, note);
    byNumber.put(last, note);
  }

  private void remove(Note note) {
    byKey.remove(note.dropped.key());
    byNumber.remove(note.dropped.number());
    claims.remembersNoMore(note.payer);
  }

  /** Number of the last one. */
  int last() {
    return last;
  }

  /** Those behind the last one that a member has heard of, in order. */
  DroppedKey[] after(int heard) {
    return heard >= last
        ? NONE
        : byNumber.tailMap(heard, false).values().stream()
            .map(Note::dropped)
            .toArray(DroppedKey[]::new);
  }
}
