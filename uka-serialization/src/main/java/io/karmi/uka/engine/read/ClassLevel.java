package io.karmi.uka.engine.read;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.jspecify.annotations.Nullable;

/**
 * One class of an object's hierarchy, as the object is read: the stream's view of it, the local
 * class, or both.
 *
 * <p>The data of a class that only the stream has is skipped. A class that only the receiver has
 * gets its {@code readObjectNoData} called.
 */
public final class ClassLevel {
  /** Classes of the JDK whose {@code readObject} allocates by their field {@code size}. */
  private static final Set<String> SIZED = Set.of("java.util.ArrayList", "java.util.PriorityQueue");

  private static final String LOG_RECORD = "java.util.logging.LogRecord";

  /** Name of the serial proxy of {@code List.of} and the like. */
  private static final String IMMUTABLE = "java.util.CollSer";

  private static final int NONE = -1;

  private static final ClassDescription NOTHING = nothing();

  private static final Map<NumberWidth, ClassValue<ClassLevel[]>> LOCAL =
      new EnumMap<>(NumberWidth.class);

  static {
    for (NumberWidth width : NumberWidth.values()) {
      LOCAL.put(width, local(width));
    }
  }

  private static ClassValue<ClassLevel[]> local(NumberWidth width) {
    return new ClassValue<>() {
      @Override
      protected ClassLevel[] computeValue(Class<?> type) {
        return levels(LocalClass.of(type), width);
      }
    };
  }

  /** The stream's view. Its fields are those on the wire. */
  public final ClassDescription description;

  /** The class of this JVM, or null. */
  public final @Nullable LocalClass local;

  /** Whether the stream has data for this class. */
  public final boolean hasData;

  /** Width of whole numbers in the data. */
  public final NumberWidth width;

  /** Type codes of the primitives in the data. */
  public final String primitives;

  private final @Nullable ReadType origin;
  private final @Nullable Field[] fields;
  private final boolean[] unshared;
  private final boolean direct;
  private final boolean userCode;

  /** Whether the stream's fields are read and not set. */
  private final boolean dropped;

  private final boolean sized;

  private final boolean tagged;

  private final boolean namesBundle;

  /** Where the class is the platform's and orders its elements: the place of its comparator. */
  private final int comparator;

  /* Volatile: a level of a local class is shared by all threads, and access has fields that are not
   * final. */
  private volatile @Nullable FieldAccess littleEndian;
  private volatile @Nullable FieldAccess bigEndian;
  private volatile @Nullable FieldAccess fullWidth;

  /** The level of a class that stream and receiver have in the same version. */
  private ClassLevel(LocalClass object, LocalClass local, NumberWidth width) {
    this(null, object.type, local, local.description(), true, width);
  }

  private ClassLevel(
      @Nullable ReadType origin,
      @Nullable Class<?> object,
      @Nullable LocalClass local,
      NumberWidth width) {
    this(
        origin, object, local, origin == null ? null : origin.description(), origin != null, width);
  }

  private ClassLevel(
      @Nullable ReadType origin,
      @Nullable Class<?> object,
      @Nullable LocalClass local,
      @Nullable ClassDescription described,
      boolean hasData,
      NumberWidth width) {
    this.origin = origin;
    this.local = local;
    this.width = width;
    this.hasData = hasData;
    description = described == null ? NOTHING : described;
    primitives = primitives(description);
    int[] matches = Binding.match(description, local);
    fields = Binding.fields(matches, local);
    unshared = Binding.unshared(matches, local);
    userCode = local != null && ClassFinder.isUserCode(local.type);
    dropped = isDropped(object, local);
    sized = local != null && SIZED.contains(local.name);
    tagged = local != null && local.name.equals(IMMUTABLE);
    namesBundle = local != null && !userCode && local.name.equals(LOG_RECORD);
    comparator = userCode || local == null ? NONE : comparatorField(local);
    direct =
        local != null
            && description.fields.length > 0
            && !hasUnshared()
            && !dropped
            && !sized
            && !namesBundle;
  }

  private static boolean isDropped(@Nullable Class<?> object, @Nullable LocalClass local) {
    return local != null && object != null && isStateOfLock(object, local.type);
  }

  /**
   * Whether a level is the state of a lock of the platform's. Its {@code readObject} frees the lock
   * in any case. A lock that is held until then, or for ever, would stop the thread that reads a
   * queue around it.
   */
  private static boolean isStateOfLock(Class<?> object, Class<?> level) {
    if ((level != AbstractQueuedSynchronizer.class && level != AbstractQueuedLongSynchronizer.class)
        || ClassFinder.isUserCode(object)) {
      return false;
    }
    for (Class<?> type = object; type != level; type = type.getSuperclass()) {
      if (LocalClass.of(type).hooks().hasReadObject()) {
        return true;
      }
    }
    return false;
  }

  private static String primitives(ClassDescription description) {
    StringBuilder codes = new StringBuilder();
    for (int i = 0; i < description.firstReference(); i++) {
      codes.append(description.fields[i].code());
    }
    return codes.toString();
  }

  private static ClassDescription nothing() {
    try {
      return new ClassDescription("", 0, 0, new FieldDescription[0]);
    } catch (InvalidClassException e) {
      throw new AssertionError(e);
    }
  }

  /** The levels of a class whose whole hierarchy the stream has in the same version. */
  private static ClassLevel[] ofLocal(LocalClass type, NumberWidth width) {
    return Objects.requireNonNull(LOCAL.get(width)).get(type.type);
  }

  /** A type and its superclasses as its objects are read: topmost first. */
  public static ClassLevel[] of(ReadType type) throws InvalidClassException {
    LocalClass local = type.local();
    return local != null && !type.isProxy() && type.equalsLocal()
        ? ofLocal(local, type.width())
        : hierarchy(type);
  }

  private static ClassLevel[] levels(LocalClass type, NumberWidth width) {
    Deque<ClassLevel> levels = new ArrayDeque<>();
    for (LocalClass level = type; level != null; level = level.superclass) {
      levels.addFirst(new ClassLevel(type, level, width));
    }
    return levels.toArray(new ClassLevel[0]);
  }

  /** The levels of objects of {@code type}, topmost first. */
  private static ClassLevel[] hierarchy(ReadType type) throws InvalidClassException {
    Deque<ClassLevel> levels = new ArrayDeque<>();
    Set<String> names = new HashSet<>();
    Class<?> next = type.type();
    for (ReadType described = type; described != null; described = described.superclass()) {
      if (!names.add(nameOf(described))) {
        throw new InvalidClassException("Circular reference.");
      }
      Class<?> match = find(next, nameOf(described));
      if (match != null) {
        while (next != null && next != match) {
          levels.addFirst(new ClassLevel(null, type.type(), LocalClass.of(next), type.width()));
          next = next.getSuperclass();
        }
        next = match.getSuperclass();
      }
      levels.addFirst(bind(type, described, match));
    }
    while (next != null && isSerializable(next)) {
      levels.addFirst(new ClassLevel(null, type.type(), LocalClass.of(next), type.width()));
      next = next.getSuperclass();
    }
    checkPlatform(type, levels);
    return levels.toArray(new ClassLevel[0]);
  }

  /**
   * Refuses a hierarchy that has levels of the platform's and leaves out one whose {@code
   * readObject} makes its objects safe to use.
   */
  private static void checkPlatform(ReadType type, Deque<ClassLevel> levels)
      throws InvalidClassException {
    ClassLevel missing = null;
    boolean described = false;
    for (ClassLevel level : levels) {
      if (level.local != null && !level.userCode) {
        described |= level.hasData;
        missing = !level.hasData && level.hasReadObject() ? level : missing;
      }
    }
    if (described && missing != null) {
      throw new InvalidClassException(
          nameOf(type),
          "the stream's description leaves out "
              + Objects.requireNonNull(missing.local).name
              + ", whose readObject this JVM's objects rely on");
    }
  }

  private static String nameOf(ReadType type) {
    if (type.type() != null) {
      return type.type().getName();
    }
    return type.description() == null ? "" : type.description().name;
  }

  private static @Nullable Class<?> find(@Nullable Class<?> start, String name) {
    for (Class<?> type = start; type != null && isSerializable(type); type = type.getSuperclass()) {
      if (type.getName().equals(name)) {
        return type;
      }
    }
    return null;
  }

  private static boolean isSerializable(Class<?> type) {
    return Serializable.class.isAssignableFrom(type);
  }

  /**
   * The level for {@code match}, which may be another class than the one that the stream's type is
   * bound to.
   */
  private static ClassLevel bind(ReadType object, ReadType described, @Nullable Class<?> match)
      throws InvalidClassException {
    LocalClass local = match == null ? null : LocalClass.of(match);
    ClassDescription description = described.description();
    if (local != null && match != described.type() && description != null) {
      Binding.check(description, local);
    }
    boolean dropped = isDropped(object.type(), local);
    for (ClassLevel known : described.levels()) {
      if (known.local == local && known.width == object.width() && known.dropped == dropped) {
        return known;
      }
    }
    ClassLevel made = new ClassLevel(described, object.type(), local, object.width());
    described.keepLevel(made);
    return made;
  }

  public boolean hasReadObject() {
    return local != null && local.hooks().hasReadObject();
  }

  public boolean hasReadObjectNoData() {
    return local != null && local.hooks().hasReadObjectNoData();
  }

  /** Whether data of a {@code writeObject} method may follow, up to an end token. */
  public boolean hasCustomData() {
    return description.hasWriteMethod();
  }

  /** Whether a reference is declared unshared by the local class. */
  public boolean isUnshared(int reference) {
    return unshared[description.firstReference() + reference];
  }

  /** Whether the fields can be read straight into an object of the local class. */
  public boolean isDirect() {
    return direct;
  }

  /** Whether the stream's fields are read and not set: the state of a lock. */
  boolean isDropped() {
    return dropped;
  }

  /** Whether the class is the JDK's, and allocates by its field {@code size}. */
  boolean keepsSize() {
    return sized;
  }

  /** Whether the class is the JDK's, and its field {@code tag} says what it becomes. */
  boolean keepsTag() {
    return tagged;
  }

  /**
   * Whether the class is the JDK's, and looks for the resource bundle that its field {@code
   * resourceBundleName} names: a name without a bundle is kept for the life of the JVM.
   */
  boolean namesBundle() {
    return namesBundle;
  }

  private static int comparatorField(LocalClass local) {
    int at = 0;
    for (Field field : local.fields()) {
      if (field != null && field.getType() == Comparator.class) {
        return at;
      }
      at += field == null || field.getType().isPrimitive() ? 0 : 1;
    }
    return NONE;
  }

  /** Whether the class is the platform's and orders its elements. */
  boolean ordersElements() {
    return comparator != NONE;
  }

  /** The comparator in the field of a class of the platform's, if it has such a field. */
  @Nullable Object comparatorOf(Object object) throws InvalidClassException {
    return comparator == NONE || local == null
        ? null
        : LocalFields.of(local).access(ByteOrder.LITTLE_ENDIAN).getReference(object, comparator);
  }

  /** Whether the local class is user code. */
  public boolean isUserCode() {
    return userCode;
  }

  /** Whether any reference is declared unshared by the local class. */
  public boolean hasUnshared() {
    for (int i = 0; i < description.references; i++) {
      if (isUnshared(i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the local class has a field for a reference. */
  public boolean isBound(int reference) {
    return fields[description.firstReference() + reference] != null;
  }

  /** The stream's fields in objects of the local class. */
  public FieldAccess access(ByteOrder order) throws InvalidClassException {
    boolean little = order == ByteOrder.LITTLE_ENDIAN;
    FieldAccess access = little ? littleEndian : bigEndian;
    if (access == null || access.isDue()) {
      access = access(order, width);
      if (little) {
        littleEndian = access;
      } else {
        bigEndian = access;
      }
    }
    return access;
  }

  /** As {@link #access}, if it is known and not provisional; else null. */
  public @Nullable FieldAccess settledAccess(ByteOrder order) {
    FieldAccess access = order == ByteOrder.LITTLE_ENDIAN ? littleEndian : bigEndian;
    return access == null || access.isProvisional() ? null : access;
  }

  /** As {@link #access}, with numbers of full width whatever width they have in the stream. */
  public FieldAccess fullAccess(ByteOrder order) throws InvalidClassException {
    if (width == NumberWidth.FULL) {
      return access(order);
    }
    FieldAccess access = fullWidth;
    if (access == null || access.isDue()) {
      access = access(order, NumberWidth.FULL);
      fullWidth = access;
    }
    return access;
  }

  private FieldAccess access(ByteOrder order, NumberWidth numbers) throws InvalidClassException {
    LocalClass known = Objects.requireNonNull(local);
    LocalFields declared = LocalFields.of(known);
    return numbers == NumberWidth.FULL && description.sameLayout(known.description())
        ? declared.access(order)
        : declared.access(order, description, fields, numbers);
  }

  /**
   * Index among the stream's fields; -1 if only the local class has such a field.
   *
   * @throws IllegalArgumentException if neither has
   */
  public int indexOf(String name, @Nullable Class<?> type) {
    for (int i = 0; i < description.fields.length; i++) {
      if (description.fields[i].name().equals(name) && accepts(i, type)) {
        return i;
      }
    }
    if (local != null && local.indexOf(name, type) >= 0) {
      return -1;
    }
    throw new IllegalArgumentException("no such field " + name + " with type " + type);
  }

  private boolean accepts(int index, @Nullable Class<?> type) {
    FieldDescription field = description.fields[index];
    if (type == null || (type == Object.class && !field.isPrimitive())) {
      return true;
    }
    return type.isPrimitive() && type.descriptorString().charAt(0) == field.code();
  }

  /** The descriptor that a program sees. */
  public @Nullable ObjectStreamClass streamClass() throws IOException, ClassNotFoundException {
    return origin == null ? Objects.requireNonNull(local).readStreamClass() : origin.streamClass();
  }
}
