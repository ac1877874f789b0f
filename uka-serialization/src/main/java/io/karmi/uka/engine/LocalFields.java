package io.karmi.uka.engine;

import io.karmi.uka.access.AccessStrategy;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import java.lang.ref.SoftReference;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Serializable fields that one local class declares, with access to them. An access is made when it
 * is first needed, and kept with the class. Thread-safe.
 */
public final class LocalFields {
  private static final int VERSIONS_TO_KEEP = 12;

  private static final ClassValue<LocalFields> FIELDS =
      new ClassValue<>() {
        @Override
        protected LocalFields computeValue(Class<?> type) {
          return new LocalFields(LocalClass.of(type));
        }
      };

  private final LocalClass local;
  private final boolean unshared;
  private volatile @Nullable FieldAccess littleEndian;
  private volatile @Nullable FieldAccess bigEndian;

  /**
   * Accesses by other versions, the one that was used last at the end. Softly, as they are kept for
   * good otherwise: a version that a peer describes may have any number of fields.
   */
  private final Deque<SoftReference<Version>> versions = new ArrayDeque<>();

  /** Access by another version, whose fields the key names. */
  private record Version(String key, FieldAccess access) {}

  private LocalFields(LocalClass local) {
    this.local = local;
    boolean any = false;
    for (int i = 0; i < local.fields().length; i++) {
      any |= local.isUnshared(i);
    }
    unshared = any;
  }

  public static LocalFields of(LocalClass local) {
    return FIELDS.get(local.type);
  }

  /**
   * Access to any fields of a class, little-endian.
   *
   * @param names primitives first
   * @return null if the fields cannot be reached
   */
  public static @Nullable FieldAccess reach(Class<?> declaring, String... names) {
    try {
      Field[] fields = new Field[names.length];
      for (int i = 0; i < names.length; i++) {
        fields[i] = declaring.getDeclaredField(names[i]);
      }
      return AccessStrategy.upgrading(declaring, fields, ByteOrder.LITTLE_ENDIAN);
    } catch (NoSuchFieldException | InvalidClassException e) {
      return null;
    }
  }

  /** Whether some field is declared unshared. */
  public boolean hasUnshared() {
    return unshared;
  }

  /** Whether there are whole numbers among them. */
  public boolean hasNumbers() {
    for (char code : codes(local.description())) {
      if (NumberWidth.isNumber(code)) {
        return true;
      }
    }
    return false;
  }

  public boolean isEmpty() {
    return local.description().fields.length == 0;
  }

  /**
   * Access in this byte order.
   *
   * @throws InvalidClassException if the class cannot be reached
   */
  public FieldAccess access(ByteOrder order) throws InvalidClassException {
    boolean little = order == ByteOrder.LITTLE_ENDIAN;
    FieldAccess access = little ? littleEndian : bigEndian;
    if (access == null || access.isDue()) {
      char[] codes = codes(local.description());
      access = open(access == null, codes, local.fields(), order, NumberWidth.FULL);
      if (little) {
        littleEndian = access;
      } else {
        bigEndian = access;
      }
    }
    return access;
  }

  /**
   * Access by another version of the class, or with narrow numbers. The latest versions are kept
   * for all streams.
   *
   * @param fields the local field for each field of the description, or null
   * @throws InvalidClassException if the class cannot be reached
   */
  public FieldAccess access(
      ByteOrder order, ClassDescription version, @Nullable Field[] fields, NumberWidth width)
      throws InvalidClassException {
    char[] codes = codes(version);
    StringBuilder key = new StringBuilder().append(order).append(width);
    for (int i = 0; i < codes.length; i++) {
      key.append(codes[i]).append(fields[i] == null ? "" : fields[i].getName()).append(';');
    }
    synchronized (versions) {
      Version known = take(key.toString());
      if (known == null || known.access.isDue()) {
        FieldAccess access = open(known == null, codes, fields, order, width);
        known = new Version(key.toString(), access);
      }
      versions.addLast(new SoftReference<>(known));
      if (versions.size() > VERSIONS_TO_KEEP) {
        versions.removeFirst();
      }
      return known.access;
    }
  }

  /** Removes a version, and those that were given up; null if it is not there. */
  private @Nullable Version take(String key) {
    Version taken = null;
    for (Iterator<SoftReference<Version>> all = versions.iterator(); all.hasNext(); ) {
      Version next = all.next().get();
      if (next == null || next.key.equals(key)) {
        taken = next == null ? taken : next;
        all.remove();
      }
    }
    return taken;
  }

  private FieldAccess open(
      boolean first, char[] codes, @Nullable Field[] fields, ByteOrder order, NumberWidth width)
      throws InvalidClassException {
    return first
        ? AccessStrategy.first(local.type, codes, fields, order, width)
        : AccessStrategy.of(local.type, codes, fields, order, width);
  }

  private static char[] codes(ClassDescription version) {
    char[] codes = new char[version.fields.length];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = version.fields[i].code();
    }
    return codes;
  }
}
