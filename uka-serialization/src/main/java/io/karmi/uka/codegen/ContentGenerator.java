package io.karmi.uka.codegen;

import io.karmi.uka.field.ContentHash;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import io.karmi.uka.platform.TypeCode;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Generator of the methods of {@link ContentHash}. */
final class ContentGenerator implements Opcodes {
  /** Bytes of primitives that are hashed. */
  private static final int MAXIMUM_BYTES = 32;

  /** Strings and boxes that are hashed. */
  private static final int MAXIMUM_VALUES = 2;

  private static final Set<Class<?>> VALUES =
      Set.of(String.class, Integer.class, Long.class, Double.class);

  /** What fields of generic classes are declared as; mostly strings and boxes are in them. */
  private static final Set<Class<?>> GENERIC =
      Set.of(Object.class, Comparable.class, Number.class, Serializable.class, CharSequence.class);

  private static final String CONTENT = Type.getInternalName(ContentHash.class);
  private static final String HASH = "contentHash";
  private static final String ONE = "(Ljava/lang/Object;)I";
  private static final String ALL = "([Ljava/lang/Object;IILjava/lang/Class;[I)I";

  private final AccessCode generator;
  private final HiddenFieldCode fields;
  private final FieldLayout layout;

  ContentGenerator(AccessCode generator, FieldLayout layout, HiddenFieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
  }

  /** Whether objects of the class have content. */
  static boolean applies(FieldLayout layout) {
    return !hashed(layout).isEmpty();
  }

  /** The indexes of the fields that are hashed. */
  private static List<Integer> hashed(FieldLayout layout) {
    List<Integer> hashed = new ArrayList<>();
    int bytes = 0;
    int values = 0;
    for (int i = 0; i < layout.fields.length; i++) {
      Field field = layout.fields[i];
      if (field == null) {
        continue;
      }
      if (i < layout.primitiveCount) {
        bytes += TypeCode.sizeOf(layout.codes[i]);
        if (bytes <= MAXIMUM_BYTES) {
          hashed.add(i);
        }
      } else if (mayHoldValue(field.getType()) && values++ < MAXIMUM_VALUES) {
        hashed.add(i);
      }
    }
    return hashed;
  }

  private static boolean mayHoldValue(Class<?> type) {
    return VALUES.contains(type) || GENERIC.contains(type);
  }

  void generate() {
    MethodVisitor has = generator.method(ACC_PUBLIC, "hasContent", "()Z");
    has.visitInsn(ICONST_1);
    has.visitInsn(IRETURN);
    GeneratedClass.finish(has);
    one();
    all();
  }

  private void one() {
    MethodVisitor code = generator.method(ACC_PUBLIC, HASH, ONE);
    int object = generator.castObject(code, 1, new Locals(2));
    code.visitInsn(LCONST_0);
    for (int index : hashed(layout)) {
      code.visitLdcInsn(31L);
      code.visitInsn(LMUL);
      fields.load(code, index, object);
      toLong(code, index);
      code.visitInsn(LADD);
    }
    code.visitMethodInsn(INVOKESTATIC, CONTENT, "mix", "(J)I", false);
    code.visitInsn(IRETURN);
    GeneratedClass.finish(code);
  }

  private void toLong(MethodVisitor code, int index) {
    switch (layout.codes[index]) {
      case 'J' -> {}
      case 'D' ->
          code.visitMethodInsn(
              INVOKESTATIC, "java/lang/Double", "doubleToRawLongBits", "(D)J", false);
      case 'F' -> {
        code.visitMethodInsn(INVOKESTATIC, "java/lang/Float", "floatToRawIntBits", "(F)I", false);
        code.visitInsn(I2L);
      }
      case 'L' -> {
        Field field = Objects.requireNonNull(layout.fields[index]);
        boolean isValue = VALUES.contains(field.getType());
        Type type = Type.getType(isValue ? field.getType() : Object.class);
        if (isValue && !fields.namesTypes()) {
          code.visitTypeInsn(CHECKCAST, type.getInternalName());
        }
        String descriptor = "(" + type.getDescriptor() + ")I";
        code.visitMethodInsn(INVOKESTATIC, CONTENT, "hashOf", descriptor, false);
        code.visitInsn(I2L);
      }
      default -> code.visitInsn(I2L);
    }
  }

  /* Locals: 1 elements, 2 from, 3 most, 4 class, 5 into, 6 index, 7 element. */

  /** The loop of the superclass, into which the JIT can inline the hash. */
  private void all() {
    MethodVisitor code = generator.method(ACC_PUBLIC, "contentHashes", ALL);
    Label next = new Label();
    Label end = new Label();
    code.visitInsn(ICONST_0);
    code.visitVarInsn(ISTORE, 6);
    code.visitLabel(next);
    code.visitVarInsn(ILOAD, 6);
    code.visitVarInsn(ILOAD, 3);
    code.visitJumpInsn(IF_ICMPGE, end);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitVarInsn(ILOAD, 6);
    code.visitInsn(IADD);
    code.visitInsn(AALOAD);
    code.visitVarInsn(ASTORE, 7);
    code.visitVarInsn(ALOAD, 7);
    code.visitJumpInsn(IFNULL, end);
    code.visitVarInsn(ALOAD, 7);
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
    code.visitVarInsn(ALOAD, 4);
    code.visitJumpInsn(IF_ACMPNE, end);
    code.visitVarInsn(ALOAD, 5);
    code.visitVarInsn(ILOAD, 6);
    pushHash(code, generator.name, 7);
    code.visitInsn(IASTORE);
    code.visitIincInsn(6, 1);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(end);
    code.visitVarInsn(ILOAD, 6);
    code.visitInsn(IRETURN);
    GeneratedClass.finish(code);
  }

  /**
   * Calls a method of the sink with an object of the class; if hashes are used now, with its hash.
   *
   * @param name internal name of the class that has the hash
   * @param sink local of the sink
   * @param method that returns a boolean
   * @param object local of the object
   */
  static void callWithHash(MethodVisitor code, String name, int sink, String method, int object) {
    Label plain = new Label();
    Label end = new Label();
    code.visitVarInsn(ALOAD, sink);
    code.visitMethodInsn(INVOKEVIRTUAL, ClassCode.SINK, "usesContents", "()Z", false);
    code.visitJumpInsn(IFEQ, plain);
    code.visitVarInsn(ALOAD, sink);
    code.visitVarInsn(ALOAD, object);
    pushHash(code, name, object);
    code.visitMethodInsn(INVOKEVIRTUAL, ClassCode.SINK, method, "(Ljava/lang/Object;I)Z", false);
    code.visitJumpInsn(GOTO, end);
    code.visitLabel(plain);
    code.visitVarInsn(ALOAD, sink);
    code.visitVarInsn(ALOAD, object);
    code.visitMethodInsn(INVOKEVIRTUAL, ClassCode.SINK, method, "(Ljava/lang/Object;)Z", false);
    code.visitLabel(end);
  }

  private static void pushHash(MethodVisitor code, String name, int local) {
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, local);
    code.visitMethodInsn(INVOKEVIRTUAL, name, HASH, ONE, false);
  }
}
