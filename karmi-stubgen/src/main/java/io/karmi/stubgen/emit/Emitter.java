package io.karmi.stubgen.emit;

import io.karmi.stubgen.model.RemoteModel;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Emitter of the classes of a model. */
public final class Emitter {
  /**
   * A {@code public static final long} of stubs and skeletons: the fingerprint of the interfaces
   * they were made from.
   */
  public static final String FINGERPRINT = "FINGERPRINT";

  private static final Set<String> EXACT =
      Set.of(
          "Ljava/lang/String;",
          "Ljava/lang/Boolean;",
          "Ljava/lang/Byte;",
          "Ljava/lang/Character;",
          "Ljava/lang/Short;",
          "Ljava/lang/Integer;",
          "Ljava/lang/Long;",
          "Ljava/lang/Float;",
          "Ljava/lang/Double;",
          "[Z",
          "[B",
          "[C",
          "[S",
          "[I",
          "[J",
          "[F",
          "[D");

  private Emitter() {}

  /** The stub, last, and before it the classes it needs; their names begin with the stub's. */
  public static List<ClassFile> stub(RemoteModel model) {
    return new StubEmitter(model).emit();
  }

  public static ClassFile skeleton(RemoteModel model) {
    return new SkeletonEmitter(model).emit();
  }

  /**
   * A {@code Consumer} of reflected members that makes them accessible with the rights of the
   * module in which it is defined.
   */
  public static ClassFile opener(String name) {
    return OpenerEmitter.emit(name);
  }

  /**
   * A class whose initialization fails unless its loader finds a type for it. Some loaders find for
   * others what they hide from the classes that they define.
   */
  public static ClassFile probe(String name, String type) {
    return ProbeEmitter.emit(name, type);
  }

  static String[] internalNames(List<String> binaryNames) {
    String[] names = new String[binaryNames.size()];
    for (int i = 0; i < names.length; i++) {
      names[i] = binaryNames.get(i).replace('.', '/');
    }
    return names;
  }

  static void pushInt(MethodVisitor code, int value) {
    if (value <= 5) {
      code.visitInsn(Opcodes.ICONST_0 + value);
    } else if (value <= Byte.MAX_VALUE) {
      code.visitIntInsn(Opcodes.BIPUSH, value);
    } else if (value <= Short.MAX_VALUE) {
      code.visitIntInsn(Opcodes.SIPUSH, value);
    } else {
      code.visitLdcInsn(value);
    }
  }

  /**
   * Whether values of a declared type are of exactly that class and read as such: strings, boxes
   * and arrays of primitives. The same types as the runtime's {@code ExactTypes}.
   */
  static boolean isExact(Type type) {
    return EXACT.contains(type.getDescriptor());
  }

  /** Casts the object on the stack to what a signature says. */
  static void cast(MethodVisitor code, Type type) {
    if (Kind.of(type) == Kind.OBJECT && !type.getDescriptor().equals("Ljava/lang/Object;")) {
      code.visitTypeInsn(Opcodes.CHECKCAST, type.getInternalName());
    }
  }
}
