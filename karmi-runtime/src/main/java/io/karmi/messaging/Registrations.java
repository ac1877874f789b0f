package io.karmi.messaging;

import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Handlers by class of object. A class without one has that of its nearest superclass, else of an
 * interface.
 *
 * @param <H> the kind of handlers
 */
final class Registrations<H> {
  private final ConcurrentMap<Class<?>, H> registered = new ConcurrentHashMap<>();

  /** What was found for classes that are not registered themselves; emptied by each change. */
  private volatile ClassValue<Found<H>> found = finder();

  /**
   * A handler, which {@link #registered} keeps: a class keeps what was found for it as long as the
   * finder is reachable, and handlers may lead there.
   */
  private static final class Found<H> extends WeakReference<H> {
    Found(@Nullable H handler) {
      super(handler);
    }
  }

  private ClassValue<Found<H>> finder() {
    return new ClassValue<>() {
      @Override
      protected Found<H> computeValue(Class<?> type) {
        return new Found<>(search(type));
      }
    };
  }

  Registration add(Class<?> type, H handler) {
    registered.put(type, handler);
    found = finder();
    return () -> {
      if (registered.remove(type, handler)) {
        found = finder();
      }
    };
  }

  /** The handler for objects of a class, or null. */
  @Nullable H find(Class<?> type) {
    return found.get(type).get();
  }

  Set<Class<?>> classes() {
    return registered.keySet();
  }

  private @Nullable H search(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      H own = registered.get(at);
      if (own != null && at != Object.class) {
        return own;
      }
    }
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      H ofInterface = searchInterfaces(at);
      if (ofInterface != null) {
        return ofInterface;
      }
    }
    return registered.get(Object.class);
  }

  private @Nullable H searchInterfaces(Class<?> type) {
    for (Class<?> each : type.getInterfaces()) {
      H own = registered.get(each);
      if (own == null) {
        own = searchInterfaces(each);
      }
      if (own != null) {
        return own;
      }
    }
    return null;
  }
}
