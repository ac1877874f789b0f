package io.karmi.exchange.remote;

import io.karmi.exchange.directory.DroppedKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keys of which a member has been told that they were dropped, and which it tells the next server.
 * What a server says is a claim: the last ones are kept. Thread-safe.
 */
final class DroppedKeys {
  private final Map<String, DroppedKey> known = new LinkedHashMap<>();

  synchronized void add(DroppedKey... told) {
    for (DroppedKey each : told) {
      DroppedKey before = known.get(each.key());
      if (each.key().length() <= DroppedKey.MAXIMUM_BYTES
          && (before == null || before.order() < each.order())) {
        known.remove(each.key()); // it is the last one now
        known.put(each.key(), each);
      }
    }
    var eldest = known.keySet().iterator();
    while (known.size() > DroppedKey.MAXIMUM) {
      eldest.next();
      eldest.remove();
    }
  }

  synchronized DroppedKey[] all() {
    return known.values().toArray(new DroppedKey[0]);
  }
}
