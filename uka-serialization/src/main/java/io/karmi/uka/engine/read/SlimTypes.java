package io.karmi.uka.engine.read;

import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.Fingerprint;
import io.karmi.uka.type.LocalClass;
import io.karmi.uka.type.StreamClasses;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Types of which the stream has a name and a fingerprint only: the local class supplies the rest.
 *
 * <p>A program that overrides {@code resolveClass} may refuse classes there. So it is asked by name
 * first, and no class is loaded that it has not returned. Then it is asked for that class and each
 * superclass, with the local descriptions, which the fingerprint has confirmed: no data is read for
 * a class that it has not seen.
 */
public final class SlimTypes {
  private static final FieldDescription[] NO_FIELDS = {};

  private final ReadContext reader;
  private final InputHooks hooks;

  public SlimTypes(ReadContext reader) {
    this.reader = reader;
    hooks = reader.hooks;
  }

  /** Refuses a slim type where the program needs full descriptions. */
  public void checkAcceptable(String name) throws InvalidClassException {
    if (!hooks.acceptsSlimTypes()) {
      throw new InvalidClassException(
          name,
          "its type is slim, and this stream takes full types only (uka.types=full here,"
              + " uka.types=slim at the writer)");
    }
    if (hooks.overridesReadClassDescriptor()) {
      throw new InvalidClassException(
          name,
          "its type is slim, without a descriptor that readClassDescriptor of "
              + hooks.stream().getClass().getName()
              + " could read; write full types (uka.types=full)");
    }
  }

  /** The description of a slim class before it has been found. */
  public static ClassDescription named(String name) throws InvalidClassException {
    return new ClassDescription(name, 0, ObjectStreamConstants.SC_SERIALIZABLE, NO_FIELDS);
  }

  /**
   * The local class, if it is the sender's. The filter is shown the superclasses first: to look at
   * their versions initializes them.
   */
  public LocalClass matching(Class<?> resolved, String name, long fingerprint)
      throws InvalidClassException {
    for (Class<?> above = resolved.getSuperclass();
        above != null && Serializable.class.isAssignableFrom(above);
        above = above.getSuperclass()) {
      reader.check(above, -1);
    }
    LocalClass local = LocalClass.of(resolved);
    if (local.isProxy || Fingerprint.of(local) != fingerprint) {
      throw new InvalidClassException(
          name,
          String.format(
              "local class incompatible: stream fingerprint = %016x, local fingerprint = %016x;"
                  + " write full types (uka.types=full)",
              fingerprint, Fingerprint.of(local)));
    }
    return local;
  }

  /** The type of a local class's superclass, as if the stream had described it. */
  public @Nullable ReadType superclassOf(LocalClass local) throws IOException {
    show(local);
    return ofSuperclass(local.superclass);
  }

  private @Nullable ReadType ofSuperclass(@Nullable LocalClass local) throws IOException {
    if (local == null) {
      return null;
    }
    show(local);
    ReadType type = new ReadType();
    type.bind(local.description(), local.type, null, ofSuperclass(local.superclass));
    return type;
  }

  /** Shows a class to a program that overrides {@code resolveClass}. */
  private void show(LocalClass local) throws IOException {
    if (!hooks.overridesResolveClass()) {
      return;
    }
    boolean outer = reader.callbacks().beginWithoutData();
    Class<?> answer;
    try {
      answer = hooks.resolveClass(StreamClasses.shared(local.description()));
    } catch (ClassNotFoundException e) {
      throw missing(local.name, e);
    } finally {
      reader.callbacks().endWithoutData(outer);
    }
    if (answer != local.type) {
      throw new InvalidClassException(
          local.name,
          "its type is slim, so the class must be "
              + local.type
              + ", but resolveClass of "
              + hooks.stream().getClass().getName()
              + " has found "
              + answer
              + "; write full types (uka.types=full)");
    }
  }

  public static InvalidClassException missing(String name, @Nullable ClassNotFoundException cause) {
    InvalidClassException missing =
        new InvalidClassException(name, "missing, and its type is slim");
    missing.initCause(cause);
    return missing;
  }
}
