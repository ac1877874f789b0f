package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Method handles of one of the JDK's two Unsafe classes, each linked when it is first used.
 * Reflection takes much longer, as it parses annotations, too.
 *
 * <p>Thread-safe.
 */
public final class UnsafeHandles {
  public static final String GET_UNSAFE = "getUnsafe";

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  /* Not synchronized: may be made twice. */
  private static @Nullable UnsafeHandles ofInternal;
  private static @Nullable UnsafeHandles ofSupported;

  private final Object unsafe;
  private final boolean internal;
  private final MethodHandle offset;

  /** By the width of what they get or put, in bytes; those of references at 0. */
  private final @Nullable MethodHandle[] getters = new @Nullable MethodHandle[Long.BYTES + 1];

  private final @Nullable MethodHandle[] putters = new @Nullable MethodHandle[Long.BYTES + 1];

  private UnsafeHandles(Object unsafe, boolean internal) throws ReflectiveOperationException {
    this.unsafe = unsafe;
    this.internal = internal;
    offset = find("objectFieldOffset", long.class, Field.class);
  }

  /**
   * {@code jdk.internal.misc.Unsafe}.
   *
   * @throws IllegalAccessException where it is not exported to this library
   */
  public static UnsafeHandles internal() throws ReflectiveOperationException {
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    if (!type.getModule().isExported(type.getPackageName(), UnsafeHandles.class.getModule())) {
      throw new IllegalAccessException("jdk.internal.misc is not exported to this library");
    }
    UnsafeHandles known = ofInternal;
    if (known == null) {
      known = new UnsafeHandles(type.getMethod(GET_UNSAFE).invoke(null), true);
      ofInternal = known;
    }
    return known;
  }

  /**
   * {@code sun.misc.Unsafe}.
   *
   * @throws IllegalAccessException where the JDK warns of its use
   */
  public static UnsafeHandles supported() throws ReflectiveOperationException {
    if (!SunUnsafe.isSilent()) {
      throw new IllegalAccessException("this JDK warns about it");
    }
    UnsafeHandles known = ofSupported;
    if (known == null) {
      known = new UnsafeHandles(SunUnsafe.INSTANCE, false);
      ofSupported = known;
    }
    return known;
  }

  /** The handles of the first class that is accessible; null if none is. */
  public static @Nullable UnsafeHandles any() {
    return Any.HANDLES;
  }

  private static final class Any {
    static final @Nullable UnsafeHandles HANDLES = find();

    private static @Nullable UnsafeHandles find() {
      try {
        return internal();
      } catch (ReflectiveOperationException e) {
        try {
          return supported();
        } catch (ReflectiveOperationException none) {
          return null;
        }
      }
    }
  }

  /** The object whose methods these are. */
  public Object unsafe() {
    return unsafe;
  }

  /** Whether the class is {@code jdk.internal.misc.Unsafe}, whose instance is public. */
  public boolean isInternal() {
    return internal;
  }

  /** In the names of methods for references. */
  public String referenceSuffix() {
    return internal ? "Reference" : "Object";
  }

  /**
   * Offset of a field in its object, in bytes.
   *
   * @throws IllegalAccessException if it has none, or may hold an object of a value class in place
   *     of a reference
   */
  public long offset(Field field) throws IllegalAccessException {
    if (StrictFields.isValue(field.getType())) {
      throw new IllegalAccessException(field + ": may hold no reference, but the value itself");
    }
    try {
      return (long) offset.invokeExact(field);
    } catch (UnsupportedOperationException e) {
      throw new IllegalAccessException(field + ": " + e.getMessage());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * A handle that gets one field: of type {@code (Object)byte}, {@code (Object)int}, or {@code
   * (Object)Object} for a reference.
   *
   * @throws IllegalAccessException if the field has no offset
   */
  public MethodHandle getter(Field field) throws ReflectiveOperationException {
    Class<?> type = field.getType();
    MethodHandle getter =
        type == byte.class
            ? getter("getByte", byte.class, 1)
            : type == int.class ? intGetter() : getter("get" + referenceSuffix(), Object.class, 0);
    return MethodHandles.insertArguments(getter, 1, offset(field));
  }

  /** A handle of type {@code (Object,long)int} that gets the field at an offset. */
  public MethodHandle intGetter() throws ReflectiveOperationException {
    return getter("getInt", int.class, Integer.BYTES);
  }

  /** The bits of a primitive with this type code; those above its width do not matter. */
  public long get(Object object, long offset, char code) {
    Objects.requireNonNull(object);
    try {
      return switch (TypeCode.sizeOf(code)) {
        case Byte.BYTES -> (byte) getter("getByte", byte.class, 1).invokeExact(object, offset);
        case Short.BYTES -> (short) getter("getShort", short.class, 2).invokeExact(object, offset);
        case Integer.BYTES -> (int) getter("getInt", int.class, 4).invokeExact(object, offset);
        default -> (long) getter("getLong", long.class, 8).invokeExact(object, offset);
      };
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Sets a primitive with this type code; the bits above its width do not matter. */
  public void put(Object object, long offset, char code, long bits) {
    Objects.requireNonNull(object);
    try {
      switch (TypeCode.sizeOf(code)) {
        case Byte.BYTES ->
            putter("putByte", byte.class, 1).invokeExact(object, offset, (byte) bits);
        case Short.BYTES ->
            putter("putShort", short.class, 2).invokeExact(object, offset, (short) bits);
        case Integer.BYTES ->
            putter("putInt", int.class, 4).invokeExact(object, offset, (int) bits);
        default -> putter("putLong", long.class, 8).invokeExact(object, offset, bits);
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public @Nullable Object getReference(Object object, long offset) {
    Objects.requireNonNull(object);
    try {
      MethodHandle get = getter("get" + referenceSuffix(), Object.class, 0);
      return (Object) get.invokeExact(object, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public void putReference(Object object, long offset, @Nullable Object value) {
    Objects.requireNonNull(object);
    try {
      putter("put" + referenceSuffix(), Object.class, 0).invokeExact(object, offset, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private MethodHandle getter(String name, Class<?> type, int bytes)
      throws ReflectiveOperationException {
    MethodHandle getter = getters[bytes];
    if (getter == null) {
      getter = find(name, type, Object.class, long.class);
      getters[bytes] = getter;
    }
    return getter;
  }

  private MethodHandle putter(String name, Class<?> type, int bytes)
      throws ReflectiveOperationException {
    MethodHandle putter = putters[bytes];
    if (putter == null) {
      putter = find(name, void.class, Object.class, long.class, type);
      putters[bytes] = putter;
    }
    return putter;
  }

  private MethodHandle find(String name, Class<?> result, Class<?>... parameters)
      throws ReflectiveOperationException {
    return LOOKUP
        .findVirtual(unsafe.getClass(), name, MethodType.methodType(result, parameters))
        .bindTo(unsafe);
  }

  private static RuntimeException unexpected(Throwable problem) {
    if (problem instanceof Error error) {
      throw error;
    }
    return problem instanceof RuntimeException known
        ? known
        : new IllegalStateException("a method of Unsafe failed", problem);
  }
}
