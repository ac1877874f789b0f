package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rewrite.WeavingPlan.Field;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.InstructionAdapter;

/**
 * Gives a serializable class its own marshalers: the protocol of {@code io.karmi.uka.Woven} (KaRMI
 * paper, 3.7).
 *
 * <p>The constructor is straight-line code, which needs no frames. All values are read into local
 * variables and checked before the first field is set, as java.io does, so that a method that meets
 * the unfinished object sees what it would see there.
 */
final class Weaver extends ClassVisitor {
  static final String AWARE = "io/karmi/uka/UkaAware";
  static final String CONSTRUCTOR = "(Lio/karmi/uka/field/FieldSource;I)V";
  private static final String WOVEN = "io/karmi/uka/Woven";

  private static final Type SINK = Type.getObjectType("io/karmi/uka/field/FieldSink");
  private static final Type SOURCE = Type.getObjectType("io/karmi/uka/field/FieldSource");
  static final Type OUT_BUFFER = Type.getObjectType("io/karmi/uka/buffer/OutputBuffer");
  private static final Type IN_BUFFER = Type.getObjectType("io/karmi/uka/buffer/InputBuffer");
  private static final Type OBJECT = Type.getType(Object.class);
  private static final String MARSHAL = "(Lio/karmi/uka/field/FieldSink;JI)V";
  private static final String TAKES_OBJECT = "(Ljava/lang/Object;)V";
  private static final String READ = "(I)Ljava/lang/Object;";
  private static final String READ_OWN_KIND = "read$own";
  private static final String READ_OWN_KIND_TYPE =
      "(Lio/karmi/uka/field/FieldSource;I)Ljava/lang/Object;";
  private static final String[] EXCEPTIONS = {"java/io/IOException"};

  /** More in one method, and the JIT would call it where it could be part of its caller. */
  private static final int GROUPS_PER_METHOD = 8;

  /* Locals of both members. */
  private static final int ENGINE = 1;

  /* Locals of marshal. */
  static final int OPENING = 2;
  private static final int OPENING_BYTES = 4;

  /* Locals of the constructor. */
  private static final int HANDLE = 2;

  /* Locals of both. */
  private static final int BUFFER = 5;
  private static final int BYTES = 6;
  private static final int POSITION = 7;
  private static final int FIRST_VALUE = 8;

  /* Locals of marshal while it looks at the numbers. */
  static final int INTS = 8;
  static final int LONGS = 10;

  private final WeavingPlan plan;
  private final List<FieldGroup> groups;
  private final ChangeLog log;
  private Type self;
  private String superName;

  Weaver(ClassVisitor next, WeavingPlan plan, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.plan = plan;
    groups = FieldGroup.of(plan.primitives, NumberWidth.FULL);
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
    marshal();
    if (groups.size() > GROUPS_PER_METHOD) {
      marshalParts(NumberWidth.FULL);
    }
    if (plan.mayBeNarrow()) {
      new NarrowBlock(this, plan, self).parts();
    }
    constructor();
    if (plan.references.stream().anyMatch(this::isOwnKind)) {
      readOwnKind();
    }
    log.add("woven");
    super.visitEnd();
  }

  private void marshal() {
    MethodVisitor method =
        super.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC, "marshal", MARSHAL, null, EXCEPTIONS);
    InstructionAdapter code = new InstructionAdapter(method);
    code.visitCode();
    if (plan.fieldsAbove) {
      code.load(0, self);
      code.load(ENGINE, SINK);
      code.load(OPENING, Type.LONG_TYPE);
      code.load(OPENING_BYTES, Type.INT_TYPE);
      code.invokespecial(superName, "marshal", MARSHAL, false);
    }
    if (!plan.fieldsAbove || !groups.isEmpty()) {
      writeBlock(code);
    }
    for (Field field : plan.references) {
      writeReference(code, field);
    }
    code.areturn(Type.VOID_TYPE);
    end(code);
  }

  /**
   * The opening, of which eight bytes are stored and as many as it has are kept, and primitives.
   */
  private void writeBlock(InstructionAdapter code) {
    int opening = plan.fieldsAbove ? 0 : Long.BYTES;
    startBlock(code, SINK, OUT_BUFFER, "reserve", opening + plan.primitiveBytes());
    Label written = new Label();
    if (plan.mayBeNarrow()) {
      new NarrowBlock(this, plan, self).write(code, written);
    }
    if (opening > 0) {
      writeOpening(code, NumberWidth.FULL);
    }
    if (groups.size() <= GROUPS_PER_METHOD) {
      store(code, groups, BYTES, POSITION);
    } else {
      callParts(code, NumberWidth.FULL);
    }
    endBlock(code, OUT_BUFFER, plan.primitiveBytes());
    if (plan.mayBeNarrow()) {
      code.mark(written);
      frame(code);
    }
  }

  /** To the token of an object with full numbers, the ordinal of the width is added. */
  void writeOpening(InstructionAdapter code, NumberWidth width) {
    code.getstatic(FieldGroup.BLOCK, FieldGroup.LONGS, "L" + FieldGroup.HANDLE + ";");
    code.load(BYTES, OBJECT);
    code.load(POSITION, Type.INT_TYPE);
    code.load(OPENING, Type.LONG_TYPE);
    if (width != NumberWidth.FULL) {
      code.lconst(width.ordinal());
      code.add(Type.LONG_TYPE);
    }
    code.invokevirtual(FieldGroup.HANDLE, "set", "([BIJ)V", false);
    code.load(POSITION, Type.INT_TYPE);
    code.load(OPENING_BYTES, Type.INT_TYPE);
    code.add(Type.INT_TYPE);
    code.store(POSITION, Type.INT_TYPE);
  }

  /** The frame wherever the code of a block meets other code of it. */
  void frame(InstructionAdapter code) {
    frame(code, OUT_BUFFER.getInternalName(), "[B", Opcodes.INTEGER);
  }

  /** The locals are the parameters of {@code marshal}, and these. */
  private void frame(InstructionAdapter code, Object... more) {
    Object[] parameters = {
      self.getInternalName(), SINK.getInternalName(), Opcodes.LONG, Opcodes.INTEGER
    };
    Object[] locals = Arrays.copyOf(parameters, parameters.length + more.length);
    System.arraycopy(more, 0, locals, parameters.length, more.length);
    code.visitFrame(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
  }

  private void store(InstructionAdapter code, List<FieldGroup> groups, int array, int position) {
    for (FieldGroup group : groups) {
      group.store(code, self, array, position);
    }
  }

  private static String part(NumberWidth width, int first) {
    return "marshal$" + (width == NumberWidth.FULL ? "" : width) + first;
  }

  private String partDescriptor() {
    return "(" + self.getDescriptor() + "[BI)V";
  }

  void callParts(InstructionAdapter code, NumberWidth width) {
    int size = FieldGroup.of(plan.primitives, width).size();
    for (int first = 0; first < size; first += GROUPS_PER_METHOD) {
      code.load(0, self);
      code.load(BYTES, OBJECT);
      code.load(POSITION, Type.INT_TYPE);
      code.invokestatic(self.getInternalName(), part(width, first), partDescriptor(), false);
    }
  }

  /** A new method that is called by {@code marshal}. */
  MethodVisitor part(String name, String descriptor) {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    return super.visitMethod(access, name, descriptor, null, null);
  }

  void marshalParts(NumberWidth width) {
    List<FieldGroup> all = FieldGroup.of(plan.primitives, width);
    for (int first = 0; first < all.size(); first += GROUPS_PER_METHOD) {
      MethodVisitor method = part(part(width, first), partDescriptor());
      InstructionAdapter code = new InstructionAdapter(method);
      code.visitCode();
      int end = Math.min(first + GROUPS_PER_METHOD, all.size());
      store(code, all.subList(first, end), 1, 2);
      code.areturn(Type.VOID_TYPE);
      end(code);
    }
  }

  private void writeReference(InstructionAdapter code, Field field) {
    if (isOwnKind(field)) {
      writeOwnKind(code, field);
      return;
    }
    code.load(ENGINE, SINK);
    load(code, field);
    if (field.descriptor().equals("Ljava/lang/String;")) {
      callSink(code, "writeString", "(Ljava/lang/String;)V");
    } else if (field.isExact()) {
      code.tconst(Type.getType(field.descriptor()));
      code.dup();
      code.invokestatic("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I", false);
      callSink(code, "writeExact", "(Ljava/lang/Object;Ljava/lang/Class;I)V");
    } else {
      callSink(code, "writeReference", TAKES_OBJECT);
    }
  }

  private static void callSink(InstructionAdapter code, String method, String descriptor) {
    code.invokevirtual(SINK.getInternalName(), method, descriptor, false);
  }

  private boolean isOwnKind(Field field) {
    return field.descriptor().equals(self.getDescriptor());
  }

  private void load(InstructionAdapter code, Field field) {
    code.load(0, self);
    code.getfield(self.getInternalName(), field.name(), field.descriptor());
  }

  /**
   * An object of the very class of the one that is being written, where that has an opening, has
   * the same: it is written by this method itself, and nobody looks for its class.
   */
  private void writeOwnKind(InstructionAdapter code, Field field) {
    Label other = new Label();
    Label end = new Label();
    load(code, field);
    code.store(FIRST_VALUE, self);
    code.load(FIRST_VALUE, self);
    code.ifnull(other);
    code.load(OPENING_BYTES, Type.INT_TYPE);
    code.ifeq(other);
    pushClassOf(code, FIRST_VALUE);
    pushClassOf(code, 0);
    code.ifacmpne(other);
    callEngine(code, "begins", "(Ljava/lang/Object;)Z");
    code.ifeq(end);
    code.load(FIRST_VALUE, self);
    code.load(ENGINE, SINK);
    code.load(OPENING, Type.LONG_TYPE);
    code.load(OPENING_BYTES, Type.INT_TYPE);
    code.invokevirtual(self.getInternalName(), "marshal", MARSHAL, false);
    code.load(ENGINE, SINK);
    code.invokevirtual(SINK.getInternalName(), "ends", "()V", false);
    code.goTo(end);
    code.mark(other);
    Object top = Opcodes.TOP;
    frame(code, top, top, top, self.getInternalName());
    callEngine(code, "writeReference", TAKES_OBJECT);
    code.mark(end);
    frame(code, top, top, top, self.getInternalName());
  }

  private void pushClassOf(InstructionAdapter code, int local) {
    code.load(local, self);
    code.invokevirtual(OBJECT.getInternalName(), "getClass", "()Ljava/lang/Class;", false);
  }

  /** Hands the value that waits to a method of the engine. */
  private void callEngine(InstructionAdapter code, String method, String descriptor) {
    code.load(ENGINE, SINK);
    code.load(FIRST_VALUE, self);
    callSink(code, method, descriptor);
  }

  private void constructor() {
    MethodVisitor method =
        super.visitMethod(
            Opcodes.ACC_PROTECTED | Opcodes.ACC_SYNTHETIC, "<init>", CONSTRUCTOR, null, EXCEPTIONS);
    InstructionAdapter code = new InstructionAdapter(method);
    code.visitCode();
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
    readPrimitives(code);
    readReferences(code);
    assignPrimitives(code);
    assignReferences(code);
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

  private void readPrimitives(InstructionAdapter code) {
    if (groups.isEmpty()) {
      return;
    }
    startBlock(code, SOURCE, IN_BUFFER, "require", plan.primitiveBytes());
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).load(code, BYTES, POSITION, local(i));
    }
    endBlock(code, IN_BUFFER, plan.primitiveBytes());
  }

  private void readReferences(InstructionAdapter code) {
    for (int i = 0; i < plan.references.size(); i++) {
      code.load(ENGINE, SOURCE);
      code.load(HANDLE, Type.INT_TYPE);
      Field field = plan.references.get(i);
      if (isOwnKind(field)) {
        code.invokestatic(self.getInternalName(), READ_OWN_KIND, READ_OWN_KIND_TYPE, false);
      } else {
        code.invokevirtual(SOURCE.getInternalName(), reading(field), READ, false);
      }
      code.store(local(groups.size() + i), OBJECT);
    }
    for (int i = 0; i < plan.references.size(); i++) {
      check(code, plan.references.get(i), local(groups.size() + i));
    }
  }

  /** The method of the source that reads what this field refers to. */
  private static String reading(Field field) {
    return switch (field.descriptor()) {
      case "Ljava/lang/String;" -> "readString";
      case "Ljava/lang/Integer;" -> "readInteger";
      case "Ljava/lang/Long;" -> "readLong";
      case "Ljava/lang/Double;" -> "readDouble";
      default -> "readReference";
    };
  }

  /** An object of the very class that refers to it is made here: nobody looks for what makes it. */
  private void readOwnKind() {
    int engine = 0;
    int owner = 1;
    int handle = 2;
    Label other = new Label();
    InstructionAdapter code = new InstructionAdapter(part(READ_OWN_KIND, READ_OWN_KIND_TYPE));
    code.visitCode();
    code.load(engine, SOURCE);
    code.tconst(self);
    code.invokevirtual(SOURCE.getInternalName(), "begins", "(Ljava/lang/Class;)Z", false);
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
    code.invokevirtual(SOURCE.getInternalName(), "ends", "(I)V", false);
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

  private void assignPrimitives(InstructionAdapter code) {
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).assign(code, self, local(i));
    }
  }

  private void assignReferences(InstructionAdapter code) {
    for (int i = 0; i < plan.references.size(); i++) {
      Field field = plan.references.get(i);
      code.load(0, self);
      code.load(local(groups.size() + i), OBJECT);
      code.checkcast(Type.getType(field.descriptor()));
      code.putfield(self.getInternalName(), field.name(), field.descriptor());
    }
  }

  /** Where a value waits. Every local variable gets room for a long. */
  private static int local(int value) {
    return FIRST_VALUE + 2 * value;
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

  /**
   * Gets the buffer, makes sure of so many bytes at once, and leaves array and position in locals.
   */
  private static void startBlock(
      InstructionAdapter code, Type engine, Type buffer, String ensure, int bytes) {
    code.load(ENGINE, engine);
    code.getfield(engine.getInternalName(), "buffer", buffer.getDescriptor());
    code.store(BUFFER, buffer);
    code.load(BUFFER, buffer);
    code.iconst(bytes);
    code.invokevirtual(buffer.getInternalName(), ensure, "(I)V", false);
    code.load(BUFFER, buffer);
    code.getfield(buffer.getInternalName(), "bytes", "[B");
    code.store(BYTES, OBJECT);
    code.load(BUFFER, buffer);
    code.getfield(buffer.getInternalName(), "position", "I");
    code.store(POSITION, Type.INT_TYPE);
  }

  void endBlock(InstructionAdapter code, Type buffer, int bytes) {
    code.load(BUFFER, buffer);
    code.load(POSITION, Type.INT_TYPE);
    code.iconst(bytes);
    code.add(Type.INT_TYPE);
    code.putfield(buffer.getInternalName(), "position", "I");
  }

  static void end(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
