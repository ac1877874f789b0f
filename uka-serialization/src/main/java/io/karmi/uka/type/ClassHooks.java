package io.karmi.uka.type;

import io.karmi.uka.platform.SerializationFactory;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The methods of one class that take part in serialization, as far as the JDK's rules count them:
 * private, with the right signature, and not those of records, enums and, where they would be
 * ignored, externalizable classes.
 *
 * <p>What a hook throws passes through as the JDK passes it. Thread-safe.
 */
public final class ClassHooks {
  private static final MethodType WRITE =
      MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
  private static final MethodType READ =
      MethodType.methodType(void.class, Object.class, ObjectInputStream.class);
  private static final MethodType NO_DATA = MethodType.methodType(void.class, Object.class);
  private static final MethodType REPLACE = MethodType.methodType(Object.class, Object.class);

  private final @Nullable MethodHandle writeObject;
  private final @Nullable MethodHandle readObject;
  private final @Nullable MethodHandle readObjectNoData;
  private final @Nullable MethodHandle writeReplace;
  private final @Nullable MethodHandle readResolve;

  ClassHooks(LocalClass owner) {
    Class<?> type = owner.type;
    boolean replaceable = owner.isSerializable && !owner.isEnum && !owner.isArray;
    boolean custom = replaceable && !owner.isRecord && !owner.isExternalizable;
    writeObject = custom ? adapt(SerializationFactory.writeObject(type), WRITE) : null;
    readObject = custom ? adapt(SerializationFactory.readObject(type), READ) : null;
    readObjectNoData = custom ? adapt(SerializationFactory.readObjectNoData(type), NO_DATA) : null;
    writeReplace = replaceable ? adapt(SerializationFactory.writeReplace(type), REPLACE) : null;
    readResolve = replaceable ? adapt(SerializationFactory.readResolve(type), REPLACE) : null;
  }

  private static @Nullable MethodHandle adapt(@Nullable MethodHandle hook, MethodType type) {
    return hook == null ? null : hook.asType(type);
  }

  public boolean hasWriteObject() {
    return writeObject != null;
  }

  public boolean hasReadObject() {
    return readObject != null;
  }

  public boolean hasReadObjectNoData() {
    return readObjectNoData != null;
  }

  public boolean hasWriteReplace() {
    return writeReplace != null;
  }

  public boolean hasReadResolve() {
    return readResolve != null;
  }

  public void writeObject(Object object, ObjectOutputStream out) throws IOException {
    try {
      Objects.requireNonNull(writeObject).invokeExact(object, out);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public void readObject(Object object, ObjectInputStream in)
      throws IOException, ClassNotFoundException {
    try {
      Objects.requireNonNull(readObject).invokeExact(object, in);
    } catch (IOException | ClassNotFoundException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public void readObjectNoData(Object object) throws IOException {
    try {
      Objects.requireNonNull(readObjectNoData).invokeExact(object);
    } catch (ObjectStreamException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public @Nullable Object writeReplace(Object object) throws IOException {
    return replace(writeReplace, object);
  }

  public @Nullable Object readResolve(Object object) throws IOException {
    return replace(readResolve, object);
  }

  private static @Nullable Object replace(@Nullable MethodHandle hook, Object object)
      throws IOException {
    try {
      return (Object) Objects.requireNonNull(hook).invokeExact(object);
    } catch (ObjectStreamException e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static IOException unexpected(Throwable e) {
    if (e instanceof RuntimeException exception) {
      throw exception;
    }
    if (e instanceof Error error) {
      throw error;
    }
    return new IOException("unexpected exception type", e);
  }
}
