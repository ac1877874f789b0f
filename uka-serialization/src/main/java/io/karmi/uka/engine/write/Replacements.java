package io.karmi.uka.engine.write;

import io.karmi.uka.platform.ReplacesItself;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replacements of objects, by their class ({@code writeReplace}) and then by the program's stream.
 * An object that comes again has the same replacement.
 */
public final class Replacements {
  private final ObjectWriter out;

  /** Replacements of this message; null as long as there are none. */
  private @Nullable Map<Object, @Nullable Object> known;

  private boolean replacing;

  /** Whether the stream began or ceased to replace objects after some had been replaced. */
  private boolean changed;

  public Replacements(ObjectWriter out) {
    this.out = out;
  }

  /**
   * Whether objects can be skipped whose class has no {@code writeReplace} and is none that {@link
   * #concern} names: no object of the class has been replaced.
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

  /** Ends a message. */
  public void clear() {
    known = null;
    if (changed) {
      changed = false;
      out.watch();
    }
  }

  /** The marshaler of an object. */
  public Marshaler marshalerOf(Object value) throws IOException {
    Marshaler marshaler = out.classes().known(value.getClass()).marshaler;
    return replacing ? marshaler.whenReplacing() : marshaler;
  }

  /**
   * Replaces the object if a hook wants that, and writes it if it is null or known.
   *
   * @return the object to be written, which is new to the message; null if there is none
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

  /** Calls {@code writeReplace} until the class repeats, and then the stream's method. */
  private @Nullable Object replace(Object object, Marshaler first) throws IOException {
    out.beforeProgram();
    Object value = object;
    Marshaler marshaler = first;
    while (marshaler.isReplaceable()) {
      Class<?> type = value.getClass();
      value = marshaler.replace(value, out.format().kind());
      if (value == null || value.getClass() == type) {
        break;
      }
      marshaler = marshalerOf(value);
    }
    return replacing ? replaceByStream(value) : value;
  }

  private @Nullable Object replaceByStream(@Nullable Object value) throws IOException {
    Object replaced = out.hooks.replaceObject(value);
    return replaced != value && replaced instanceof ReplacesItself own ? formOf(own) : replaced;
  }

  /*
   * The JDK asks no writeReplace of what a stream puts in. But a stub of java.rmi has none, and is
   * written as it is.
   */
  private @Nullable Object formOf(ReplacesItself own) throws IOException {
    if (known == null) {
      known = new IdentityHashMap<>();
    }
    if (!known.containsKey(own)) {
      known.put(own, own.replacement(out.format().kind()));
    }
    return known.get(own);
  }
}
