package io.karmi.stubgen.emit;

import static io.karmi.stubgen.emit.RuntimeNames.ARGUMENTS;
import static io.karmi.stubgen.emit.RuntimeNames.CALL_OUTPUT;
import static io.karmi.stubgen.emit.RuntimeNames.descriptor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The classes that hold the parameters of one call: one class for each list of parameter kinds.
 *
 * <p>{@code f(int, String)} and {@code g(int, List)} share a class with two final fields and a
 * {@code marshal} method that writes them in order. So a call allocates no more than it needs, and
 * marshalling has no decision to take.
 */
final class ArgumentsEmitter {
  private final String prefix;
  private final Map<List<Kind>, ClassBuilder> classes = new LinkedHashMap<>();

  ArgumentsEmitter(String stubInternalName) {
    prefix = stubInternalName + "$Arguments";
  }

  /** The internal name of the class for these parameters, of which there is at least one. */
  String classFor(Type[] parameters) {
    return classes.computeIfAbsent(kindsOf(parameters), this::emit).internalName;
  }

  static String constructorDescriptor(Type[] parameters) {
    return constructorDescriptor(kindsOf(parameters));
  }

  List<ClassFile> classes() {
    List<ClassFile> all = new ArrayList<>();
    for (ClassBuilder builder : classes.values()) {
      all.add(builder.toClassFile());
    }
    return all;
  }

  private static List<Kind> kindsOf(Type[] types) {
    List<Kind> kinds = new ArrayList<>(types.length);
    for (Type type : types) {
      kinds.add(Kind.of(type));
    }
    return kinds;
  }

  private static String constructorDescriptor(List<Kind> kinds) {
    StringBuilder parameters = new StringBuilder("(");
    for (Kind kind : kinds) {
      parameters.append(kind.descriptor);
    }
    return parameters.append(")V").toString();
  }

  private ClassBuilder emit(List<Kind> kinds) {
    ClassBuilder builder = new ClassBuilder(prefix + classes.size(), ARGUMENTS);
    for (int i = 0; i < kinds.size(); i++) {
      builder.field(fieldName(i), kinds.get(i).descriptor);
    }
    emitConstructor(builder, kinds);
    emitMarshal(builder, kinds);
    return builder;
  }

  private static String fieldName(int index) {
    return "a" + index;
  }

  private static void emitConstructor(ClassBuilder builder, List<Kind> kinds) {
    MethodVisitor code = builder.method(Opcodes.ACC_PUBLIC, "<init>", constructorDescriptor(kinds));
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, ARGUMENTS, "<init>", "()V", false);
    int slot = 1;
    for (int i = 0; i < kinds.size(); i++) {
      Kind kind = kinds.get(i);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitVarInsn(kind.type().getOpcode(Opcodes.ILOAD), slot);
      code.visitFieldInsn(Opcodes.PUTFIELD, builder.internalName, fieldName(i), kind.descriptor);
      slot += kind.type().getSize();
    }
    code.visitInsn(Opcodes.RETURN);
    ClassBuilder.end(code);
  }

  private static void emitMarshal(ClassBuilder builder, List<Kind> kinds) {
    MethodVisitor code =
        builder.method(
            Opcodes.ACC_PUBLIC,
            "marshal",
            "(" + descriptor(CALL_OUTPUT) + ")V",
            "java/io/IOException");
    for (int i = 0; i < kinds.size(); i++) {
      Kind kind = kinds.get(i);
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitFieldInsn(Opcodes.GETFIELD, builder.internalName, fieldName(i), kind.descriptor);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL, CALL_OUTPUT, kind.writer(), kind.writerDescriptor(), false);
    }
    code.visitInsn(Opcodes.RETURN);
    ClassBuilder.end(code);
  }
}
