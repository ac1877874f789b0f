package io.karmi.uka.engine.read;

import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.Fingerprint;
import io.karmi.uka.type.LocalClass;
import io.karmi.uka.type.StreamClasses;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * Types of which the stream has a name and a fingerprint only: the local class stands for what the
 * sender has not said.
 *
 * <p>A program that finds classes itself may refuse them there. So it is asked by name first, as
 * nothing else is known before the class has been found, and no class is loaded that it has not
 * named. Then it is asked again, with the local description that the fingerprint has confirmed, for
 * that class and for each superclass: no data is read on behalf of a class that it has not been
 * shown. It has to answer with the classes that the objects will have.
 */
public final class SlimTypes {
  private static final FieldDescription[] NO_FIELDS = {};

  private final ReadContext reader;
  private final InputHooks hooks;

  public SlimTypes(ReadContext reader) {
    this.reader = reader;
    hooks = reader.hooks;
  }

  /** Refuses a slim type where the program would not see what it wants to see. */
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

  /** All that the stream says about a class before it has been found. */
  public static ClassDescription named(String name) throws InvalidClassException {
    return new ClassDescription(name, 0, ObjectStreamConstants.SC_SERIALIZABLE, NO_FIELDS);
  }

  /** The local class, if it is the sender's. */
  public static LocalClass matching(Class<?> resolved, String name, long fingerprint)
      throws InvalidClassException {
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

  /** The type that a stream in full would have described for the superclass of a local class. */
  public @Nullable ReadType superclassOf(LocalClass local) throws IOException {
    show(local);
    return ofSuperclass(local.superclass);
  }

  private @Nullable ReadType ofSuperclass(@Nullable LocalClass local) throws IOException {
    if (local == null) {
      return null;
    }
    show(local);
    reader.check(local.type, -1);
    ReadType type = new ReadType();
    type.bind(local.description(), local.type, null, ofSuperclass(local.superclass));
    return type;
  }

  /** Asks the program about a class, if it finds classes itself. */
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
