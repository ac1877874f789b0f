package io.karmi.uka.engine.read;

import java.io.InvalidObjectException;
import java.io.ObjectInputValidation;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks for the end of a graph, by priority, the highest first; among equals the latest first.
 */
public final class Validations {
  /** Whether the JDK's streams call back with permissions, which lets no other exception pass. */
  private static final boolean PERMITTED = Runtime.version().feature() < 24;

  /** Mostly there are none. */
  private @Nullable Callback first;

  public void add(@Nullable ObjectInputValidation validation, int priority)
      throws InvalidObjectException {
    if (validation == null) {
      throw new InvalidObjectException("null callback");
    }
    Callback before = null;
    Callback after = first;
    while (after != null && priority < after.priority) {
      before = after;
      after = after.next;
    }
    link(before, new Callback(validation, priority, after));
  }

  private void link(@Nullable Callback before, @Nullable Callback next) {
    if (before == null) {
      first = next;
    } else {
      before.next = next;
    }
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return first == null;
  }

  /**
   * Runs all callbacks, which may add others. After a refusal none are left, nor, where the JDK
   * knows permissions, after any other checked exception that a callback throws by stealth.
   */
  public void run() throws InvalidObjectException {
    for (Callback next = first; next != null; next = first) {
      try {
        next.validation.validateObject();
      } catch (InvalidObjectException e) {
        first = null;
        throw e;
      } catch (Exception e) {
        if (PERMITTED && !(e instanceof RuntimeException)) {
          first = null;
          throw (InvalidObjectException) e; // which is a ClassCastException, as the JDK's
        }
        throw e;
      }
      remove(next);
    }
  }

  /** Removes a callback, if it is still there. */
  private void remove(Callback callback) {
    Callback before = null;
    Callback each = first;
    while (each != null && each != callback) {
      before = each;
      each = each.next;
    }
    if (each != null) {
      link(before, each.next);
    }
  }

  public void clear() {
    if (first != null) {
      first = null;
    }
  }

  private static final class Callback {
    private final ObjectInputValidation validation;
    private final int priority;
    private @Nullable Callback next;

    Callback(ObjectInputValidation validation, int priority, @Nullable Callback next) {
      this.validation = validation;
      this.priority = priority;
      this.next = next;
    }
  }
}
