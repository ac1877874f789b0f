package io.karmi.exchange;

import io.karmi.settings.Settings;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Strings and arrays of the groups whose objects this JVM has made and holds, by identity, with
 * {@code karmi.exchange.dedup}. A group that is put refers to them where it has one of them. Others
 * are not worth it, or could be shared with the whole JVM. Thread-safe.
 */
final class SharedObjects {
  private final boolean enabled = Settings.EXCHANGE_DEDUP.isOn();

  private static final int LEAST_CHARACTERS = 16;
  private static final int LEAST_ARRAY_BYTES = 64;
  private static final int REFERENCE_BYTES = 4;

  /** Guarded by this. */
  private final Map<Object, Origin> origins = new IdentityHashMap<>();

  /** The number of an object in the message of a group. */
  private record Origin(OpenGroup group, int number) {}

  /** Whether groups refer to objects of others. */
  boolean areEnabled() {
    return enabled;
  }

  /** Whether objects of a class are shared, if they are large enough. */
  static boolean areShared(Class<?> type) {
    return type == String.class || type.isArray();
  }

  private static boolean isShared(@Nullable Object object) {
    if (object instanceof String text) {
      return text.length() >= LEAST_CHARACTERS;
    }
    return object != null && object.getClass().isArray() && arrayBytes(object) >= LEAST_ARRAY_BYTES;
  }

  private static long arrayBytes(Object array) {
    Class<?> element = array.getClass().getComponentType();
    long bytes = REFERENCE_BYTES;
    if (element == long.class || element == double.class) {
      bytes = Long.BYTES;
    } else if (element == byte.class || element == boolean.class) {
      bytes = 1;
    } else if (element == char.class || element == short.class) {
      bytes = Character.BYTES;
    }
    return bytes * Array.getLength(array);
  }

  /**
   * The objects of a group were made. An object that another group has brought stays that one's.
   */
  synchronized void add(OpenGroup group, @Nullable Object[] objects) {
    if (group.ended || !enabled) {
      return;
    }
    for (int i = 0; i < objects.length; i++) {
      if (isShared(objects[i])) {
        origins.putIfAbsent(objects[i], new Origin(group, i));
      }
    }
  }

  /** A group is not held any more. */
  synchronized void remove(OpenGroup group) {
    group.ended = true;
    OpenGroup.Made made = group.made;
    for (Object each : made == null ? OpenGroup.NO_OBJECTS : made.objects()) {
      Origin origin = each == null ? null : origins.get(each);
      if (origin != null && origin.group() == group) {
        origins.remove(each);
      }
    }
  }

  synchronized boolean isEmpty() {
    return origins.isEmpty();
  }

  private synchronized @Nullable Origin find(@Nullable Object object) {
    return isShared(object) ? origins.get(object) : null;
  }

  /** What the objects of one put are replaced by, with the groups that those are of. */
  static final class Uses {
    private final SharedObjects shared;
    private final Function<OpenGroup, @Nullable Object> hold;
    private final Map<OpenGroup, Object> held = new HashMap<>();

    /**
     * Of one put.
     *
     * @param hold makes a {@link Group} of a group; null if it has ended
     */
    Uses(SharedObjects shared, Function<OpenGroup, @Nullable Object> hold) {
      this.shared = shared;
      this.hold = hold;
    }

    /** An {@link External} if the object came from a group that is held; else the object. */
    @Nullable Object replacement(@Nullable Object object) {
      Origin origin = shared.find(object);
      Object group = origin == null ? null : held.computeIfAbsent(origin.group(), hold);
      return origin == null || group == null ? object : new External(group, origin.number());
    }

    /** The groups that were needed, as {@code hold} has made them. */
    Collection<Object> groups() {
      return held.values();
    }
  }
}
