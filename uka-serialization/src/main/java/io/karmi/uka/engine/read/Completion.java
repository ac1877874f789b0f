package io.karmi.uka.engine.read;

import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.type.ClassHooks;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Array;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Completion of objects whose data has been read: the class may replace the object, then the
 * program's stream may; the filter sees the replacement.
 */
public final class Completion {
  /** Types of JMX, which ask their parts whether these allow a value's. */
  private static final String OPEN_TYPES = "javax.management.openmbean";

  private final ReadContext in;
  private final ReadHandleTable handles;
  private boolean resolving;

  public Completion(ReadContext in) {
    this.in = in;
    handles = in.handles();
  }

  /** Whether the program's stream may replace objects. */
  public boolean isResolving() {
    return resolving;
  }

  /**
   * {@code ObjectInputStream.enableResolveObject}.
   *
   * @return what it was before
   */
  public boolean enableResolve(boolean enable) {
    boolean before = resolving;
    resolving = enable;
    in.watch();
    return before;
  }

  /** Ends the current object or array, which its own class may replace. */
  public @Nullable Object finish(ReadType type, @Nullable Object object, boolean unshared)
      throws IOException {
    int handle = in.currentHandle();
    handles.finish(handle);
    ClassHooks resolver = type.resolver();
    if (object != null
        && resolver != null
        && object.getClass() == type.type() // else a codec has made what it resolves to
        && handles.failure(handle) == null) {
      return readResolve(type, resolver, object, unshared);
    }
    return object;
  }

  private @Nullable Object readResolve(
      ReadType type, ClassHooks resolver, Object object, boolean unshared) throws IOException {
    int handle = in.currentHandle();
    if (resolver.remembers()) {
      in.buffer().remember(object);
    }
    if (!ClassFinder.isUserCode(object.getClass())) {
      in.contentCost().addFields(object);
      if (object.getClass().getPackageName().equals(OPEN_TYPES)) {
        in.hashCost().addVisits(object);
      }
    }
    Object replacement;
    try {
      replacement = resolver.readResolve(object);
    } catch (InternalError | OutOfMemoryError e) {
      Class<?> known = Objects.requireNonNull(type.type());
      if (ClassFinder.isUserCode(known)) {
        throw e;
      }
      throw VmErrors.refused(known, e);
    }
    if (object instanceof SerializedLambda form && replacement != null) {
      in.comparatorCost.addLambda(replacement, form);
    }
    in.setCurrentHandle(handle);
    /* As with the JDK's streams, an unshared object cannot be replaced by null. */
    if (unshared && Objects.requireNonNull(replacement).getClass().isArray()) {
      replacement = ArrayReader.copy(replacement);
    }
    return replace(object, replacement, resolver.isStub());
  }

  /** Lets the program's stream replace the current object. */
  public @Nullable Object resolve(@Nullable Object object) throws IOException {
    if (!resolving || handles.failure(in.currentHandle()) != null) {
      return object;
    }
    return replace(object, in.hooks.resolveObject(object), false);
  }

  /**
   * Hands out another object.
   *
   * @param admitted whether the filter has seen the first one, and would not know its replacement
   */
  private @Nullable Object replace(
      @Nullable Object object, @Nullable Object replacement, boolean admitted)
      throws InvalidClassException {
    if (replacement != object) {
      if (!admitted) {
        check(replacement);
      }
      handles.set(in.currentHandle(), replacement);
    }
    return replacement;
  }

  private void check(@Nullable Object replacement) throws InvalidClassException {
    if (replacement != null) {
      Class<?> type = replacement.getClass();
      in.check(type, type.isArray() ? Array.getLength(replacement) : -1);
    }
  }
}
