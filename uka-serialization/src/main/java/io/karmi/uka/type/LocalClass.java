package io.karmi.uka.type;

import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.platform.Permitted;
import io.karmi.uka.platform.RecordConstructor;
import io.karmi.uka.platform.StrictFields;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Serialization's view of one class of this JVM: its kind, its fields, its hooks, and the errors of
 * writing or reading its objects.
 *
 * <p>There is one per class, kept with the class. Costly parts (serialVersionUID, method handles)
 * are computed when first asked for. Thread-safe.
 */
public final class LocalClass {
  private static final ClassValue<LocalClass> CLASSES =
      new ClassValue<>() {
        @Override
        protected LocalClass computeValue(Class<?> type) {
          return new LocalClass(type);
        }
      };

  private static final @Nullable Field[] NO_FIELDS = {};

  private static final String STRICT =
      "cannot serialize due to final value class or strictly-initialized instance fields";

  public final Class<?> type;

  /** As {@link Class#getName}. */
  public final String name;

  public final boolean isProxy;
  public final boolean isEnum;
  public final boolean isRecord;
  public final boolean isArray;
  public final boolean isSerializable;
  public final boolean isExternalizable;

  /** Whether it or a superclass has {@link StrictFields}. */
  private final boolean isStrict;

  /** One bit, for sets that may take two classes for one. */
  public final long bit;

  /** The superclass, if it is serializable; else null. */
  public final @Nullable LocalClass superclass;

  private final ObjectStreamClass streamClass;
  private volatile @Nullable ObjectStreamClass readStreamClass;
  private volatile @Nullable ClassDescription description;
  private volatile @Nullable ClassHooks hooks;
  private volatile @Nullable Fields fields;
  private volatile @Nullable Creation creation;

  /** Why objects of the class cannot be read; empty if they can. */
  private volatile @Nullable String refusal;

  private LocalClass(Class<?> type) {
    this.type = type;
    name = type.getName();
    bit = 1L << (name.hashCode() * 0x9E3779B9 >>> 26);
    isProxy = Proxy.isProxyClass(type);
    isEnum = Enum.class.isAssignableFrom(type);
    isRecord = type.isRecord();
    isArray = type.isArray();
    isSerializable = Serializable.class.isAssignableFrom(type);
    isExternalizable = Externalizable.class.isAssignableFrom(type);
    streamClass = ObjectStreamClass.lookupAny(type);
    Class<?> parent = type.getSuperclass();
    superclass = parent != null && Serializable.class.isAssignableFrom(parent) ? of(parent) : null;
    isStrict =
        isSerializable && StrictFields.areIn(type) || superclass != null && superclass.isStrict;
  }

  public static LocalClass of(Class<?> type) {
    return CLASSES.get(type);
  }

  /** The JDK's descriptor of the class. */
  public ObjectStreamClass streamClass() {
    return streamClass;
  }

  /**
   * A descriptor as a stream has it that describes the class as it is here: unlike those of {@link
   * #streamClass}, its fields do not know the classes of their references.
   */
  public ObjectStreamClass readStreamClass() throws IOException, ClassNotFoundException {
    ObjectStreamClass known = readStreamClass;
    if (known == null) {
      List<StreamClasses.Level> levels = new ArrayList<>();
      for (LocalClass level = this; level != null; level = level.superclass) {
        levels.add(new StreamClasses.Level(level.description(), level.type));
      }
      known = StreamClasses.bound(levels);
      readStreamClass = known;
    }
    return known;
  }

  /** The description of the class in a stream of {@code PROTOCOL_VERSION_2}. */
  public ClassDescription description() {
    ClassDescription known = description;
    if (known == null) {
      Long version = isArray ? ArrayVersions.of(name) : null;
      known =
          version == null
              ? StreamClasses.describeLocal(streamClass)
              : StreamClasses.describeArray(name, version);
      description = known;
    }
    return known;
  }

  /** The methods of the class that take part in serialization. */
  public ClassHooks hooks() {
    ClassHooks known = hooks;
    if (known == null) {
      known =
          Permitted.isNeeded() ? Permitted.get(() -> new ClassHooks(this)) : new ClassHooks(this);
      hooks = known;
    }
    return known;
  }

  /**
   * The field behind each entry of {@code description().fields}; null where {@code
   * serialPersistentFields} names one that does not exist.
   */
  public @Nullable Field[] fields() {
    return fieldsOfClass().bound;
  }

  /** For each entry of {@code description().fields}, whether it is declared to be unshared. */
  public boolean isUnshared(int index) {
    return fieldsOfClass().unshared[index];
  }

  /**
   * Index in {@code description().fields}, or -1.
   *
   * @param fieldType null for any, {@code Object.class} for any reference, else a subtype of the
   *     field's type
   */
  public int indexOf(String fieldName, @Nullable Class<?> fieldType) {
    ObjectStreamField[] declared = fieldsOfClass().declared;
    for (int i = 0; i < declared.length; i++) {
      ObjectStreamField field = declared[i];
      if (field.getName().equals(fieldName)
          && (fieldType == null
              || (fieldType == Object.class && !field.isPrimitive())
              || fieldType.isAssignableFrom(field.getType()))) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The instantiator; null if the class has no constructor that the JDK accepts, is a record, or
   * has strict fields.
   */
  public @Nullable Instantiator instantiator() {
    return creation().instantiator;
  }

  /** The constructor of a record, or of a box with strict fields; null for others. */
  public @Nullable RecordConstructor recordConstructor() {
    return creation().record;
  }

  /** Throws the JDK's error if no object of the class can be written. */
  public void checkSerializable() throws InvalidClassException {
    if (isRefusedAsStrict()) {
      throw new InvalidClassException(name, STRICT);
    }
    if (fieldsOfClass().declarationError != null) {
      throw new InvalidClassException(null, fieldsOfClass().declarationError);
    }
  }

  /** Throws the JDK's error if the class declares serializable fields that do not exist. */
  public void checkDefaultSerializable() throws InvalidClassException {
    if (fieldsOfClass().unmatched) {
      throw new InvalidClassException(name, "unmatched serializable field(s) declared");
    }
  }

  /** A new error for the reading of an object, or null. */
  public @Nullable InvalidClassException deserializeError() {
    String reason = refusal;
    if (reason == null) {
      reason = findRefusal();
      refusal = reason;
    }
    return reason.isEmpty()
        ? null
        : new InvalidClassException(
            reason.equals(fieldsOfClass().declarationError) ? null : name, reason);
  }

  /** Whether {@link #deserializeError} has one. */
  public boolean isDeserializable() {
    return refusal == null ? deserializeError() == null : refusal.isEmpty();
  }

  private String findRefusal() {
    if (isRecord && recordConstructor() == null) {
      return "record canonical constructor not found";
    }
    if (isRefusedAsStrict()) {
      return STRICT;
    }
    String declarationError = fieldsOfClass().declarationError;
    if (declarationError != null) {
      return declarationError;
    }
    if (isEnum) {
      return "enum type";
    }
    if (isArray || instantiator() == null && recordConstructor() == null) {
      return "no valid constructor";
    }
    return "";
  }

  private boolean isRefusedAsStrict() {
    return isStrict && recordConstructor() == null;
  }

  private Fields fieldsOfClass() {
    Fields known = fields;
    if (known == null) {
      known = Permitted.isNeeded() ? Permitted.get(() -> new Fields(this)) : new Fields(this);
      fields = known;
    }
    return known;
  }

  private Creation creation() {
    Creation known = creation;
    if (known == null) {
      known = Permitted.isNeeded() ? Permitted.get(() -> new Creation(this)) : new Creation(this);
      creation = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return name;
  }

  /** The serializable fields that the class declares. */
  private static final class Fields {
    final ObjectStreamField[] declared;
    final @Nullable Field[] bound;
    final boolean[] unshared;
    final boolean unmatched;
    final @Nullable String declarationError;

    Fields(LocalClass owner) {
      declared = owner.streamClass.getFields();
      bound = declared.length == 0 ? NO_FIELDS : new @Nullable Field[declared.length];
      unshared = new boolean[declared.length];
      boolean missing = false;
      for (int i = 0; i < declared.length; i++) {
        bound[i] = find(owner.type, declared[i]);
        unshared[i] = declared[i].isUnshared();
        missing |= bound[i] == null;
      }
      unmatched = missing;
      boolean counts = declared.length == 0 && !owner.isExternalizable && !owner.isEnum;
      declarationError = counts ? PersistentFields.error(owner.type) : null;
    }

    private static @Nullable Field find(Class<?> type, ObjectStreamField wanted) {
      try {
        Field field = type.getDeclaredField(wanted.getName());
        boolean same =
            field.getType() == wanted.getType() && !Modifier.isStatic(field.getModifiers());
        return same ? field : null;
      } catch (NoSuchFieldException e) {
        return null;
      }
    }
  }

  /** How objects of the class come into being. */
  private static final class Creation {
    final @Nullable Instantiator instantiator;
    final @Nullable RecordConstructor record;

    Creation(LocalClass owner) {
      boolean plain = owner.isSerializable && !owner.isArray && !owner.isEnum && !owner.isRecord;
      instantiator = plain && !owner.isStrict ? instantiator(owner) : null;
      record = owner.isSerializable ? recordConstructor(owner) : null;
    }

    private static @Nullable RecordConstructor recordConstructor(LocalClass owner) {
      if (owner.isRecord) {
        return RecordConstructor.of(owner.type);
      }
      return owner.isStrict ? RecordConstructor.ofBox(owner.type) : null;
    }

    private static @Nullable Instantiator instantiator(LocalClass owner) {
      return owner.isExternalizable
          ? Instantiator.ofExternalizable(owner.type)
          : Instantiator.of(owner.type);
    }
  }
}
