package io.karmi.uka.engine.write;

import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is written in the place of an object: its class may replace it ({@code writeReplace}), and
 * then the program's stream. An object that comes again is replaced by the same.
 */
public final class Replacements {
  private final ObjectWriter out;

  /** Of this message; null as long as there are none. */
  private @Nullable Map<Object, @Nullable Object> known;

  private boolean replacing;

  /** Whether the stream began or ceased to replace objects when some had been replaced. */
  private boolean changed;

  public Replacements(ObjectWriter out) {
    this.out = out;
  }

  /**
   * Whether an object need not be asked about whose class is replaced neither by itself nor, as far
   * as {@link #concern} tells, by the stream: then none of its class has been replaced.
   */
  public boolean areOfFewClasses() {
    return !changed && !concern(String.class);
  }

  /** Whether the stream may replace objects of this class. */
  public boolean concern(Class<?> type) {
    return replacing && out.hooks.mayReplace(type);
  }

  /**
   * {@code ObjectOutputStream.enableReplaceObject}.
   *
   * @return what it was before
   */
  public boolean enable(boolean enable) {
    boolean before = replacing;
    replacing = enable;
    changed |= known != null;
    out.classes().clear();
    out.watch();
    return before;
  }

  /** A message ends. */
  public void clear() {
    known = null;
    if (changed) {
      changed = false;
      out.watch();
    }
  }

  /** How an object is written that will not be replaced any more, or how it is replaced. */
  public Marshaler marshalerOf(Object value) throws IOException {
    Marshaler marshaler = out.classes().known(value.getClass()).marshaler;
    return replacing ? marshaler.whenReplacing() : marshaler;
  }

  /**
   * Replaces the object if a hook wants that, and writes it if it is null or known.
   *
   * @return what is new to the message and has to be written; null if nothing
   */
  public @Nullable Object prepare(@Nullable Object object, boolean unshared) throws IOException {
    Object value =
        out.writeKnown(known == null ? object : known.getOrDefault(object, object), unshared);
    if (value == null) {
      return null;
    }
    Marshaler marshaler = marshalerOf(value);
    if (!marshaler.isReplaceable() && (!replacing || marshaler.isClassOrDescriptor())) {
      return value;
    }
    Object replaced = replace(value, marshaler);
    if (replaced == value) {
      return value;
    }
    if (known == null) {
      known = new IdentityHashMap<>();
    }
    known.put(value, replaced);
    return out.writeKnown(replaced, unshared);
  }

  /** Asks {@code writeReplace} until the class repeats, and then the stream. */
  private @Nullable Object replace(Object object, Marshaler first) throws IOException {
    Object value = object;
    Marshaler marshaler = first;
    while (marshaler.isReplaceable()) {
      Class<?> type = value.getClass();
      value = marshaler.replace(value);
      if (value == null || value.getClass() == type) {
        break;
      }
      marshaler = marshalerOf(value);
    }
    return replacing ? out.hooks.replaceObject(value) : value;
  }
}
