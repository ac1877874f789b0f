package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rewrite.WeavingPlan.Field;
import io.karmi.uka.codegen.ClassCode;
import io.karmi.uka.codegen.Locals;
import io.karmi.uka.codegen.ReadCode;
import io.karmi.uka.codegen.WriteCode;
import java.util.Arrays;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.InstructionAdapter;

/**
 * Gives a serializable class its own marshalers: the protocol of {@code io.karmi.uka.field.Woven}
 * (KaRMI paper, 3.7).
 *
 * <p>The constructor is straight-line code, which needs no frames. All values are read into local
 * variables and checked before the first field is set, as java.io does, so that a method that meets
 * the unfinished object sees what it would see there.
 */
final class Weaver extends ClassVisitor {
  static final String AWARE = "io/karmi/uka/UkaAware";
  static final String CONSTRUCTOR = "(L" + ClassCode.SOURCE + ";I)V";
  static final String WOVEN = "io/karmi/uka/field/Woven";
  private static final Type SINK = Type.getObjectType(ClassCode.SINK);
  private static final Type SOURCE = Type.getObjectType(ClassCode.SOURCE);
  private static final Type OBJECT = Type.getType(Object.class);
  private static final String READ = "(I)Ljava/lang/Object;";
  private static final String[] EXCEPTIONS = {"java/io/IOException"};

  /* Locals of both members. */
  private static final int ENGINE = 1;

  /* Locals of marshal. */
  private static final int OPENING = 2;
  private static final int OPENING_BYTES = 4;

  /* Local of the constructor. */
  private static final int HANDLE = 2;

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
    String[] woven = Arrays.copyOf(interfaces, interfaces.length + 1);
    woven[interfaces.length] = WOVEN;
    String wovenSignature = signature == null ? null : signature + "L" + WOVEN + ";";
    super.visit(version, access, name, wovenSignature, superName, woven);
  }

  @Override
  public void visitEnd() {
    WovenClass woven = new WovenClass(self, cv);
    OwnFieldCode fields = new OwnFieldCode(self, plan);
    marshal(woven, fields);
    constructor(woven, fields);
    if (plan.references.stream().anyMatch(this::isOwnKind)) {
      readOwnKind(woven);
    }
    log.add("woven");
    super.visitEnd();
  }

  private boolean isOwnKind(Field field) {
    return field.descriptor().equals(self.getDescriptor());
  }

  private void marshal(WovenClass woven, OwnFieldCode fields) {
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC;
    InstructionAdapter code = begin(access, WovenClass.MARSHAL, WovenClass.MARSHAL_TYPE);
    if (plan.fieldsAbove) {
      code.load(0, self);
      code.load(ENGINE, SINK);
      code.load(OPENING, Type.LONG_TYPE);
      code.load(OPENING_BYTES, Type.INT_TYPE);
      code.invokespecial(superName, WovenClass.MARSHAL, WovenClass.MARSHAL_TYPE, false);
    }
    Locals free = new Locals(OPENING_BYTES + 1);
    WriteCode writing = new WriteCode(woven, fields, plan.block(), ENGINE, 0, OPENING, free);
    if (!plan.fieldsAbove || !plan.primitives.isEmpty()) {
      writing.writeBlock(code, !plan.fieldsAbove, false);
    }
    for (int i = 0; i < plan.references.size(); i++) {
      writing.writeReference(code, plan.primitives.size() + i);
    }
    code.areturn(Type.VOID_TYPE);
    end(code);
  }

  private InstructionAdapter begin(int access, String name, String descriptor) {
    MethodVisitor method = super.visitMethod(access, name, descriptor, null, EXCEPTIONS);
    InstructionAdapter code = new InstructionAdapter(method);
    code.visitCode();
    return code;
  }

  private void constructor(WovenClass woven, OwnFieldCode fields) {
    int access = Opcodes.ACC_PROTECTED | Opcodes.ACC_SYNTHETIC;
    InstructionAdapter code = begin(access, "<init>", CONSTRUCTOR);
    code.load(0, self);
    if (plan.superclassIsWoven) {
      code.load(ENGINE, SOURCE);
      code.load(HANDLE, Type.INT_TYPE);
      code.invokespecial(superName, "<init>", CONSTRUCTOR, false);
    } else {
      code.invokespecial(superName, "<init>", "()V", false);
    }
    if (!plan.references.isEmpty()) {
      register(code);
    }
    int references = plan.references.size();
    Locals free = new Locals(HANDLE + 1);
    ReadCode reading = new ReadCode(woven, fields, plan.block(), references, ENGINE, free);
    reading.readBlock(code);
    reading.readReferences(code, HANDLE);
    for (int i = 0; i < references; i++) {
      check(code, plan.references.get(i), reading.reference(i));
    }
    reading.setFields(code, 0);
    code.areturn(Type.VOID_TYPE);
    end(code);
  }

  /** No class above has fields if this one has references. */
  private static void register(InstructionAdapter code) {
    code.load(ENGINE, SOURCE);
    code.load(0, OBJECT);
    code.invokevirtual(SOURCE.getInternalName(), "begin", "(Ljava/lang/Object;)I", false);
    code.pop();
  }

  /**
   * An object of the very class that refers to it is made here: what makes it is not looked for.
   */
  private void readOwnKind(WovenClass woven) {
    int engine = 0;
    int owner = 1;
    int handle = 2;
    Label other = new Label();
    InstructionAdapter code =
        new InstructionAdapter(
            woven.begin(WovenClass.READ_OWN_KIND, WovenClass.READ_OWN_KIND_TYPE));
    code.visitCode();
    code.load(engine, SOURCE);
    code.tconst(self);
    code.invokevirtual(SOURCE.getInternalName(), "enterIfNext", "(Ljava/lang/Class;)Z", false);
    code.ifeq(other);
    code.load(engine, SOURCE);
    code.invokevirtual(SOURCE.getInternalName(), "nextHandle", "()I", false);
    code.store(handle, Type.INT_TYPE);
    code.anew(self);
    code.dup();
    code.load(engine, SOURCE);
    code.load(handle, Type.INT_TYPE);
    code.invokespecial(self.getInternalName(), "<init>", CONSTRUCTOR, false);
    code.load(engine, SOURCE);
    code.load(handle, Type.INT_TYPE);
    code.invokevirtual(SOURCE.getInternalName(), "end", "(I)V", false);
    code.load(engine, SOURCE);
    code.load(owner, Type.INT_TYPE);
    code.invokevirtual(SOURCE.getInternalName(), "leaveTo", "(I)V", false);
    code.areturn(OBJECT);
    code.mark(other);
    Object[] locals = {SOURCE.getInternalName(), Opcodes.INTEGER};
    code.visitFrame(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
    code.load(engine, SOURCE);
    code.load(owner, Type.INT_TYPE);
    code.invokevirtual(SOURCE.getInternalName(), "readReference", READ, false);
    code.areturn(OBJECT);
    end(code);
  }

  private void check(InstructionAdapter code, Field field, int local) {
    if (field.descriptor().equals(OBJECT.getDescriptor())) {
      return;
    }
    code.load(local, OBJECT);
    code.tconst(Type.getType(field.descriptor()));
    code.tconst(self);
    code.aconst(field.name());
    code.load(0, self);
    code.invokestatic(
        SOURCE.getInternalName(),
        "check",
        "(Ljava/lang/Object;Ljava/lang/Class;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)V",
        false);
  }

  private static void end(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
