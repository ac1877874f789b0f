package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rewrite.WeavingPlan.Field;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.InstructionAdapter;

/**
 * Gives a serializable class its own marshalers: the protocol of {@code io.karmi.uka.UkaAware}
 * (KaRMI paper, 3.7).
 *
 * <p>Both members are straight-line code, so they need no frames. All values are read into local
 * variables and checked before the first field is set, as java.io does, so that a method that meets
 * the unfinished object sees what it would see there.
 */
final class Weaver extends ClassVisitor {
  static final String AWARE = "io/karmi/uka/UkaAware";
  private static final String MARK = "io/karmi/uka/marshal/WovenMarshalling";
  private static final String WOVEN = "io/karmi/uka/Woven";
  static final String CONSTRUCTOR = "(Lio/karmi/uka/UkaObjectInputStream;)V";

  private static final Type OUT = Type.getObjectType("io/karmi/uka/UkaObjectOutputStream");
  private static final Type IN = Type.getObjectType("io/karmi/uka/UkaObjectInputStream");
  private static final Type OUT_BUFFER = Type.getObjectType("io/karmi/uka/buffer/OutputBuffer");
  private static final Type IN_BUFFER = Type.getObjectType("io/karmi/uka/buffer/InputBuffer");
  private static final Type OBJECT = Type.getType(Object.class);
  private static final String MARSHAL = "(Lio/karmi/uka/UkaObjectOutputStream;)V";
  private static final String[] MARSHAL_EXCEPTIONS = {"java/io/IOException"};
  private static final String[] CONSTRUCTOR_EXCEPTIONS = {
    "java/io/IOException", "java/lang/ClassNotFoundException"
  };

  private static final int STREAM = 1;
  private static final int BUFFER = 2;
  private static final int FIRST_VALUE = 3;

  private final WeavingPlan plan;
  private final ChangeLog log;
  private Type self;
  private String superName;

  Weaver(ClassVisitor next, WeavingPlan plan, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.plan = plan;
    this.log = log;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      String signature,
      String superName,
      String[] interfaces) {
    self = Type.getObjectType(name);
    this.superName = superName;
    String[] woven = Arrays.copyOf(interfaces, interfaces.length + 2);
    woven[interfaces.length] = AWARE;
    woven[interfaces.length + 1] = MARK;
    String wovenSignature = signature == null ? null : signature + "L" + AWARE + ";L" + MARK + ";";
    super.visit(version, access, name, wovenSignature, superName, woven);
  }

  @Override
  public void visitEnd() {
    marshal();
    constructor();
    log.add("woven");
    super.visitEnd();
  }

  private void marshal() {
    MethodVisitor method =
        super.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC,
            "marshal",
            MARSHAL,
            null,
            MARSHAL_EXCEPTIONS);
    InstructionAdapter code = new InstructionAdapter(method);
    code.visitCode();
    if (plan.superclassIsWoven) {
      code.load(0, self);
      code.load(STREAM, OUT);
      code.invokespecial(superName, "marshal", MARSHAL, false);
    }
    if (!plan.primitives.isEmpty()) {
      startBlock(code, OUT, OUT_BUFFER, "reserve");
      for (Field field : plan.primitives) {
        code.load(BUFFER, OUT_BUFFER);
        get(code, field);
        code.invokevirtual(
            OUT_BUFFER.getInternalName(), "write" + field.kind(), writes(field), false);
      }
    }
    for (Field field : plan.references) {
      code.load(STREAM, OUT);
      get(code, field);
      code.invokestatic(
          WOVEN,
          "writeReference",
          "(Lio/karmi/uka/UkaObjectOutputStream;Ljava/lang/Object;)V",
          false);
    }
    code.areturn(Type.VOID_TYPE);
    end(code);
  }

  /** Narrow types are written from an int. */
  private static String writes(Field field) {
    return switch (field.descriptor()) {
      case "B", "C", "S" -> "(I)V";
      default -> "(" + field.descriptor() + ")V";
    };
  }

  private void get(InstructionAdapter code, Field field) {
    code.load(0, self);
    code.getfield(self.getInternalName(), field.name(), field.descriptor());
  }

  private void constructor() {
    MethodVisitor method =
        super.visitMethod(
            Opcodes.ACC_PROTECTED | Opcodes.ACC_SYNTHETIC,
            "<init>",
            CONSTRUCTOR,
            null,
            CONSTRUCTOR_EXCEPTIONS);
    InstructionAdapter code = new InstructionAdapter(method);
    code.visitCode();
    code.load(0, self);
    if (plan.superclassIsWoven) {
      code.load(STREAM, IN);
      code.invokespecial(superName, "<init>", CONSTRUCTOR, false);
    } else {
      code.invokespecial(superName, "<init>", "()V", false);
      code.load(STREAM, IN);
      code.load(0, self);
      code.invokestatic(
          WOVEN, "register", "(Lio/karmi/uka/UkaObjectInputStream;Ljava/lang/Object;)V", false);
    }
    readPrimitives(code);
    readReferences(code);
    assign(code, plan.primitives);
    assign(code, plan.references);
    code.areturn(Type.VOID_TYPE);
    end(code);
  }

  private void readPrimitives(InstructionAdapter code) {
    if (plan.primitives.isEmpty()) {
      return;
    }
    startBlock(code, IN, IN_BUFFER, "require");
    for (Field field : plan.primitives) {
      code.load(BUFFER, IN_BUFFER);
      code.invokevirtual(
          IN_BUFFER.getInternalName(), "read" + field.kind(), "()" + field.descriptor(), false);
      code.store(local(field), Type.getType(field.descriptor()));
    }
  }

  private void readReferences(InstructionAdapter code) {
    for (Field field : plan.references) {
      code.load(STREAM, IN);
      code.invokestatic(
          WOVEN, "readReference", "(Lio/karmi/uka/UkaObjectInputStream;)Ljava/lang/Object;", false);
      code.store(local(field), OBJECT);
    }
    for (Field field : plan.references) {
      check(code, field);
    }
  }

  private void assign(InstructionAdapter code, List<Field> fields) {
    for (Field field : fields) {
      code.load(0, self);
      if (field.isPrimitive()) {
        code.load(local(field), Type.getType(field.descriptor()));
      } else {
        code.load(local(field), OBJECT);
        code.checkcast(Type.getType(field.descriptor()));
      }
      code.putfield(self.getInternalName(), field.name(), field.descriptor());
    }
  }

  /** Every local variable gets room for a long. */
  private int local(Field field) {
    int index =
        field.isPrimitive()
            ? plan.primitives.indexOf(field)
            : plan.primitives.size() + plan.references.indexOf(field);
    return FIRST_VALUE + 2 * index;
  }

  private void check(InstructionAdapter code, Field field) {
    if (field.descriptor().equals(OBJECT.getDescriptor())) {
      return;
    }
    code.load(local(field), OBJECT);
    code.tconst(Type.getType(field.descriptor()));
    code.tconst(self);
    code.aconst(field.name());
    code.load(0, self);
    code.invokestatic(
        WOVEN,
        "check",
        "(Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)V",
        false);
  }

  /** Gets the stream's buffer and makes sure of the bytes of all primitives at once. */
  private void startBlock(InstructionAdapter code, Type stream, Type buffer, String ensure) {
    code.load(STREAM, stream);
    code.invokevirtual(stream.getInternalName(), "buffer", "()" + buffer.getDescriptor(), false);
    code.store(BUFFER, buffer);
    code.load(BUFFER, buffer);
    code.iconst(plan.primitiveBytes());
    code.invokevirtual(buffer.getInternalName(), ensure, "(I)V", false);
  }

  private static void end(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
