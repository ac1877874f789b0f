package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import io.karmi.uka.field.BlockLayout;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.platform.TypeCode;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Plan of the marshalers that are woven into a class, made from class files.
 *
 * <p>There is a plan only where plain code does what {@code java.io} does: the class and its
 * superclasses up to {@code Object} are found and serializable, and none has hooks, is a record, an
 * enum, {@code Externalizable} or a value class, or has strictly initialized fields. A class with
 * references must have no fields above: java.io sets no field before all are read, while a
 * superclass's constructor would set its own first.
 */
final class WeavingPlan {
  private static final String OBJECT = "java/lang/Object";
  private static final String SERIALIZABLE = "java/io/Serializable";
  private static final String EXTERNALIZABLE = "java/io/Externalizable";
  private static final Set<String> HOOKS =
      Set.of("writeObject", "readObject", "readObjectNoData", "serialPersistentFields");

  /** Final classes of the platform that are frequent types of fields. */
  private static final Set<String> FINAL_CLASSES =
      Set.of(
          "Ljava/lang/Boolean;",
          "Ljava/lang/Byte;",
          "Ljava/lang/Character;",
          "Ljava/lang/Double;",
          "Ljava/lang/Float;",
          "Ljava/lang/Integer;",
          "Ljava/lang/Long;",
          "Ljava/lang/Short;",
          "Ljava/time/Duration;",
          "Ljava/time/Instant;",
          "Ljava/time/LocalDate;",
          "Ljava/time/LocalDateTime;",
          "Ljava/time/LocalTime;",
          "Ljava/util/UUID;");

  private static final Pattern PRIMITIVE_ARRAY = Pattern.compile("\\[+[BCDFIJSZ]");

  /**
   * Greatest number of fields of a woven class: the JIT compiles methods of up to 8,000 bytes, and
   * a reference takes 40.
   */
  private static final int MAXIMUM_FIELDS = 200;

  /**
   * Greatest number of superclasses of a woven class, without Object: they are read again for each
   * class below them.
   */
  private static final int MAXIMUM_SUPERCLASSES = 50;

  /** {@code ACC_STRICT_INIT} of a field: a preview of JDK 28. */
  private static final int STRICT = 0x0800;

  /** A field that is serialized. */
  record Field(String name, String descriptor) {
    boolean isPrimitive() {
      return TypeCode.isPrimitive(descriptor.charAt(0));
    }

    /** Whether it can refer to objects of one class only, as far as the descriptor tells. */
    boolean isExact() {
      return FINAL_CLASSES.contains(descriptor) || PRIMITIVE_ARRAY.matcher(descriptor).matches();
    }
  }

  /** In canonical order: by name. */
  final List<Field> primitives = new ArrayList<>();

  /** In canonical order: by name. */
  final List<Field> references = new ArrayList<>();

  /** Whether the superclass is woven too; else it is Object. */
  final boolean superclassIsWoven;

  /** Whether superclasses have fields. */
  final boolean fieldsAbove;

  final boolean declaresSerialVersion;

  private WeavingPlan(Shape shape, boolean fieldsAbove) {
    this.fieldsAbove = fieldsAbove;
    superclassIsWoven = !shape.superName.equals(OBJECT);
    declaresSerialVersion = shape.declaresSerialVersion;
    shape.fields.sort(Comparator.comparing(Field::name));
    for (Field field : shape.fields) {
      (field.isPrimitive() ? primitives : references).add(field);
    }
  }

  BlockLayout block() {
    StringBuilder codes = new StringBuilder();
    for (Field field : primitives) {
      codes.append(field.descriptor());
    }
    return new BlockLayout(codes.toString(), ByteOrder.LITTLE_ENDIAN, NumberWidth.FULL);
  }

  /**
   * The plan for a class.
   *
   * @return null if the class is to be left alone
   */
  static @Nullable WeavingPlan of(ClassReader reader, ClassFiles files, RetrofitOptions options) {
    Lineage lineage = new Lineage(files, options);
    if (!lineage.isSelected(reader.getClassName())
        || reader.getSuperName() == null
        || reader.getSuperName().equals(OBJECT) && reader.getInterfaces().length == 0) {
      return null;
    }
    Shape shape = Shape.of(reader);
    if (!shape.isPlain() || !lineage.isSerializable(shape)) {
      return null;
    }
    return new WeavingPlan(shape, lineage.hasFieldsAbove(shape));
  }

  /** Properties of one class file that weaving depends on. */
  private static final class Shape extends ClassVisitor {
    final List<Field> fields = new ArrayList<>();
    private int access;
    private String superName;
    private String[] interfaces;
    private boolean hasHooks;
    private boolean declaresSerialVersion;

    private Shape() {
      super(Opcodes.ASM9);
    }

    static Shape of(ClassReader reader) {
      Shape shape = new Shape();
      reader.accept(
          shape, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return shape;
    }

    boolean isPlain() {
      int others = Opcodes.ACC_INTERFACE | Opcodes.ACC_ENUM | Opcodes.ACC_RECORD;
      boolean isValue = (access & Opcodes.ACC_SUPER) == 0; // compilers set it for all others
      return (access & others) == 0 && !isValue && !hasHooks && fields.size() <= MAXIMUM_FIELDS;
    }

    boolean hasReferences() {
      for (Field field : fields) {
        if (!field.isPrimitive()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        String superName,
        String[] interfaces) {
      this.access = access;
      this.superName = superName;
      this.interfaces = interfaces;
      hasHooks |= (version & 0xffff) < Opcodes.V1_5; // no class constants
    }

    @Override
    public @Nullable FieldVisitor visitField(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        @Nullable Object value) {
      hasHooks |= HOOKS.contains(name);
      if (name.equals("serialVersionUID")) {
        int needed = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
        declaresSerialVersion |= (access & needed) == needed && "JISBC".contains(descriptor);
        hasHooks |= !declaresSerialVersion; // java.io ignores it, and a valid one cannot be added
      }
      boolean ofObjects = (access & Opcodes.ACC_STATIC) == 0;
      hasHooks |= ofObjects && (access & STRICT) != 0; // set before the superclass's constructor
      if (ofObjects && (access & Opcodes.ACC_TRANSIENT) == 0) {
        fields.add(new Field(name, descriptor));
      }
      return null;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      hasHooks |= HOOKS.contains(name) || descriptor.equals(Weaver.CONSTRUCTOR);
      return null;
    }
  }

  /** Supertypes of a class, each read once, as there may be hundreds of paths to the same few. */
  private static final class Lineage {
    private final ClassFiles files;
    private final RetrofitOptions options;
    private final Map<String, Kind> kinds = new HashMap<>();
    private final Map<String, @Nullable Shape> shapes = new HashMap<>();

    Lineage(ClassFiles files, RetrofitOptions options) {
      this.files = files;
      this.options = options;
    }

    boolean isSelected(String name) {
      return !RuleSet.isKarmi(name) && options.selects(name.replace('/', '.'));
    }

    /**
     * Whether the class and its superclasses below Object are found, plain, serializable from the
     * topmost one down, and few.
     */
    boolean isSerializable(Shape shape) {
      Shape each = shape;
      boolean references = false;
      for (int above = 0; above <= MAXIMUM_SUPERCLASSES; above++) {
        Kind kind = kindOf(each.interfaces);
        if (kind == Kind.OTHER) {
          return false;
        }
        if (each.superName.equals(OBJECT)) {
          return kind == Kind.SERIALIZABLE;
        }
        if (each.superName.startsWith("java/") || !isSelected(each.superName)) {
          return false; // cannot be woven
        }
        references |= each.hasReferences();
        Shape next = find(each.superName);
        if (next == null || !next.isPlain() || references && !next.fields.isEmpty()) {
          return false;
        }
        each = next;
      }
      return false;
    }

    private boolean hasFields(Shape shape) {
      return !shape.fields.isEmpty() || hasFieldsAbove(shape);
    }

    boolean hasFieldsAbove(Shape shape) {
      Shape above = shape.superName.equals(OBJECT) ? null : find(shape.superName);
      return above != null && hasFields(above);
    }

    private Kind kindOf(String[] interfaces) {
      Kind kind = Kind.PLAIN;
      for (String name : interfaces) {
        Kind next = kindOf(name);
        if (next == Kind.OTHER) {
          return next;
        }
        kind = next == Kind.SERIALIZABLE ? next : kind;
      }
      return kind;
    }

    private Kind kindOf(String name) {
      if (name.equals(SERIALIZABLE)) {
        return Kind.SERIALIZABLE;
      }
      if (name.equals(EXTERNALIZABLE) || name.equals(Weaver.AWARE) || name.equals(Weaver.WOVEN)) {
        return Kind.OTHER;
      }
      Kind known = kinds.get(name);
      if (known == null) {
        kinds.put(name, Kind.OTHER); // for a broken class file that extends itself
        byte[] classFile = files.find(name);
        known =
            classFile == null
                ? Kind.OTHER
                : kindOf(ClassVersions.reader(classFile).getInterfaces());
        kinds.put(name, known);
      }
      return known;
    }

    private @Nullable Shape find(String name) {
      if (!shapes.containsKey(name)) {
        byte[] classFile = files.find(name);
        shapes.put(name, classFile == null ? null : Shape.of(ClassVersions.reader(classFile)));
      }
      return shapes.get(name);
    }
  }

  private enum Kind {
    PLAIN,
    SERIALIZABLE,
    /** Externalizable, woven by hand, or not found. */
    OTHER
  }
}
