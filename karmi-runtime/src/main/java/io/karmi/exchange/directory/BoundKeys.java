package io.karmi.exchange.directory;

import io.karmi.exchange.GroupAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that this member has bound, as far as it knows: the directory may tell that a key is bound
 * to a group no more before its answer that it was bound has come. Thread-safe.
 */
public final class BoundKeys {
  private final Map<String, Member.Bound> bound = new ConcurrentHashMap<>();

  /** Groups to which keys are being bound, unless their end has overtaken the answer. */
  private final Set<GroupAddress> binding = ConcurrentHashMap.newKeySet();

  /** A key is about to be bound to a group; {@link #end} must follow. */
  public void begin(GroupAddress group) {
    binding.add(group);
  }

  public void end(GroupAddress group) {
    binding.remove(group);
  }

  /** The answer that a key was bound has come. Answers may overtake each other. */
  public void note(String key, Member.Bound made) {
    bound.merge(key, made, (one, other) -> one.order() > other.order() ? one : other);
    if (!binding.remove(made.group())) {
      bound.remove(key, made);
    }
  }

  /** No key is bound to these groups any more. */
  public void unbound(GroupAddress... groups) {
    if (groups.length > 0) {
      Set<GroupAddress> those = Set.copyOf(List.of(groups));
      binding.removeAll(those);
      bound.values().removeIf(key -> those.contains(key.group()));
    }
  }

  public Map<String, Member.Bound> all() {
    return Map.copyOf(bound);
  }
}
