package io.karmi.uka.engine.read;

import java.io.InvalidObjectException;
import java.io.ObjectInputValidation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks for the end of a graph, by priority, the highest first; among equals the latest first.
 */
public final class Validations {
  private record Callback(ObjectInputValidation validation, int priority) {}

  private final List<Callback> callbacks = new ArrayList<>(0);

  public void add(@Nullable ObjectInputValidation validation, int priority)
      throws InvalidObjectException {
    if (validation == null) {
      throw new InvalidObjectException("null callback");
    }
    int index = 0;
    while (index < callbacks.size() && priority < callbacks.get(index).priority) {
      index++;
    }
    callbacks.add(index, new Callback(validation, priority));
  }

  /** Runs all callbacks, which may add others. After a refusal none are left. */
  public void run() throws InvalidObjectException {
    while (!callbacks.isEmpty()) {
      Callback next = callbacks.get(0);
      try {
        next.validation.validateObject();
      } catch (InvalidObjectException e) {
        callbacks.clear();
        throw e;
      }
      callbacks.remove(next);
    }
  }

  public void clear() {
    if (!callbacks.isEmpty()) {
      callbacks.clear();
    }
  }
}
