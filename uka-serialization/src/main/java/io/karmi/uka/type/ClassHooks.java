package io.karmi.uka.type;

import io.karmi.uka.platform.JdkStubs;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.platform.ReplacesItself;
import io.karmi.uka.platform.ResolvesItself;
import io.karmi.uka.platform.SerializationFactory;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Methods of one class that take part in serialization by the JDK's rules: private, with the right
 * signature, and not those of records, enums and, where they are ignored, externalizable classes.
 *
 * <p>Exceptions of hooks pass as in the JDK. Hooks for data are looked for when first asked for,
 * and adapted when first called: the JDK assembles method handles for both, and codecs need none.
 *
 * <p>Thread-safe: method handles are immutable, and two threads may find and adapt the same ones. A
 * hook is stored only where it had to be adapted, as a store into an old object costs a memory
 * fence.
 */
public final class ClassHooks {
  private static final MethodType WRITE =
      MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
  private static final MethodType READ =
      MethodType.methodType(void.class, Object.class, ObjectInputStream.class);
  private static final MethodType NO_DATA = MethodType.methodType(void.class, Object.class);
  private static final MethodType REPLACE = MethodType.methodType(Object.class, Object.class);

  private static final Set<String> REMEMBERING =
      Set.of("java.util.logging.Level", "java.awt.AWTKeyStroke");

  private @Nullable MethodHandle writeObject;
  private @Nullable MethodHandle readObject;
  private @Nullable MethodHandle readObjectNoData;
  private volatile boolean dataHooksKnown;
  private @Nullable MethodHandle writeReplace;
  private @Nullable MethodHandle readResolve;
  private final boolean replacesItself;
  private final boolean resolvesItself;
  private final boolean stub;
  private final boolean remembers;

  private final Class<?> type;

  ClassHooks(LocalClass owner) {
    type = owner.type;
    boolean replaceable = owner.isSerializable && !owner.isEnum && !owner.isArray;
    dataHooksKnown = !replaceable || owner.isRecord || owner.isExternalizable;
    replacesItself = replaceable && ReplacesItself.class.isAssignableFrom(type);
    resolvesItself = replaceable && ResolvesItself.class.isAssignableFrom(type);
    writeReplace = replaceable && !replacesItself ? SerializationFactory.writeReplace(type) : null;
    readResolve = replaceable && !resolvesItself ? SerializationFactory.readResolve(type) : null;
    stub = replaceable && readResolve == null && JdkStubs.mayBe(type);
    remembers = readResolve != null && isRemembered(type);
  }

  /** Whether the class, or one above it, registers what it has not met before. */
  private static boolean isRemembered(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      if (REMEMBERING.contains(each.getName())) {
        return true;
      }
    }
    return false;
  }

  private void findDataHooks() {
    if (dataHooksKnown) {
      return;
    }
    if (Permitted.isNeeded()) {
      Permitted.get(
          () -> {
            findDataHooksPermitted();
            return true;
          });
    } else {
      findDataHooksPermitted();
    }
  }

  private void findDataHooksPermitted() {
    writeObject = SerializationFactory.writeObject(type);
    readObject = SerializationFactory.readObject(type);
    readObjectNoData = SerializationFactory.readObjectNoData(type);
    dataHooksKnown = true;
  }

  public boolean hasWriteObject() {
    findDataHooks();
    return writeObject != null;
  }

  public boolean hasReadObject() {
    findDataHooks();
    return readObject != null;
  }

  public boolean hasReadObjectNoData() {
    findDataHooks();
    return readObjectNoData != null;
  }

  /** Whether objects of the class are always replaced, by a class of KaRMI's own. */
  public boolean replacesItself() {
    return replacesItself;
  }

  /** Whether objects may be the JDK's stubs, which the runtime resolves: see {@link JdkStubs}. */
  public boolean isStub() {
    return stub;
  }

  /** Whether {@code readResolve} makes the class remember each object, for the life of the JVM. */
  public boolean remembers() {
    return remembers;
  }

  public boolean hasWriteReplace() {
    return replacesItself || writeReplace != null;
  }

  public boolean hasReadResolve() {
    return resolvesItself || stub || readResolve != null;
  }

  public void writeObject(Object object, ObjectOutputStream out) throws IOException {
    MethodHandle hook = Objects.requireNonNull(writeObject);
    if (hook.type() != WRITE) {
      hook = hook.asType(WRITE);
      writeObject = hook;
    }
    try {
      hook.invokeExact(object, out);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public void readObject(Object object, ObjectInputStream in)
      throws IOException, ClassNotFoundException {
    MethodHandle hook = Objects.requireNonNull(readObject);
    if (hook.type() != READ) {
      hook = hook.asType(READ);
      readObject = hook;
    }
    try {
      hook.invokeExact(object, in);
    } catch (IOException | ClassNotFoundException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public void readObjectNoData(Object object) throws IOException {
    MethodHandle hook = Objects.requireNonNull(readObjectNoData);
    if (hook.type() != NO_DATA) {
      hook = hook.asType(NO_DATA);
      readObjectNoData = hook;
    }
    try {
      hook.invokeExact(object);
    } catch (ObjectStreamException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Replaces an object that is about to be written in a format. */
  public @Nullable Object writeReplace(Object object, ReplacesItself.Format format)
      throws IOException {
    if (replacesItself) {
      return ((ReplacesItself) object).replacement(format);
    }
    MethodHandle hook = Objects.requireNonNull(writeReplace);
    if (hook.type() != REPLACE) {
      hook = hook.asType(REPLACE);
      writeReplace = hook;
    }
    return replace(hook, object);
  }

  public @Nullable Object readResolve(Object object) throws IOException {
    if (resolvesItself) {
      return ((ResolvesItself) object).resolution();
    }
    if (stub) {
      return JdkStubs.resolution(object);
    }
    MethodHandle hook = Objects.requireNonNull(readResolve);
    if (hook.type() != REPLACE) {
      hook = hook.asType(REPLACE);
      readResolve = hook;
    }
    return replace(hook, object);
  }

  private static @Nullable Object replace(MethodHandle hook, Object object) throws IOException {
    try {
      return (Object) hook.invokeExact(object);
    } catch (ObjectStreamException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * What becomes of another exception of a hook than it declares: one that is checked, which other
   * languages let a method throw, is the cause of an {@link IOException}.
   */
  public static IOException unexpected(Throwable e) {
    if (e instanceof RuntimeException exception) {
      throw exception;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IOException("unexpected exception type", e);
  }
}
