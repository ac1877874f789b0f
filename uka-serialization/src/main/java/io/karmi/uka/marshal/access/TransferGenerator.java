package io.karmi.uka.marshal.access;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates {@link FieldAccess#write} and {@link FieldAccess#read}: fields move between object and
 * stream without an array in between.
 *
 * <p>While references are read, what has been read waits in local variables: a cycle may show the
 * object to other code before it is complete, and that code must see what the JDK would show it, no
 * field set at all.
 */
final class TransferGenerator implements Opcodes {
  private static final String SINK = Type.getInternalName(FieldSink.class);
  private static final String SOURCE = Type.getInternalName(FieldSource.class);
  static final String OUTPUT = "io/karmi/uka/buffer/OutputBuffer";
  private static final String INPUT = "io/karmi/uka/buffer/InputBuffer";

  private static final String WRITE = "(L" + SINK + ";Ljava/lang/Object;JI)V";

  private static final String ACCESS = Type.getInternalName(FieldAccess.class);

  private static final String READ_ONLY = "(L" + SOURCE + ";Ljava/lang/Object;I)V";

  private static final String READ = "(L" + SOURCE + ";Ljava/lang/Object;I[L" + ACCESS + ";I)V";

  /** Locals of read that keep what is read behind the fields. */
  private static final int LEVELS = 140;

  private static final int NEXT = 141;

  /** Local of write that holds a reference. */
  private static final int VALUE = 16;

  /** Local of write that keeps the opening as it came. */
  private static final int OPENING = 17;

  /** Classes with more take the way through arrays. */
  private static final int MOST_LOCALS = 120;

  private final AccessGenerator generator;
  private final FieldLayout layout;
  private final FieldCode fields;
  private final List<PrimitiveUnit> units;

  TransferGenerator(AccessGenerator generator, FieldLayout layout, FieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
    units = PrimitiveUnit.split(layout);
  }

  void generate() throws ReflectiveOperationException {
    if (2 * units.size() + layout.referenceCount() > MOST_LOCALS) {
      return;
    }
    boolean refers = layout.referenceCount() > 0;
    RunGenerator runs = new RunGenerator(generator.writer, generator.name);
    write();
    runs.write(refers);
    if (layout.declaring.isRecord()) {
      if (readRecord()) {
        runs.read(refers);
      }
      return;
    }
    if (refers) {
      read();
    } else {
      readPrimitivesOnly();
    }
    if (!Instantiator.allocates(layout.declaring)) {
      return;
    }
    if (refers) {
      make(generator.method(ACC_PRIVATE, RunGenerator.MAKE, RunGenerator.MAKES), false);
      if (refersToOwnKind()) {
        make(runs.beginNew(true), true);
        runs.readRun(true);
      } else {
        runs.read(true);
      }
    } else {
      makeLeaf();
      runs.read(false);
    }
  }

  /* Locals of make: 1 source, 2 object, 3 handle. */

  private void allocate(MethodVisitor code) {
    fields.pushConstant(code, SunUnsafe.allocator(layout.declaring), MethodHandle.class);
    code.visitMethodInsn(
        INVOKEVIRTUAL,
        "java/lang/invoke/MethodHandle",
        "invokeExact",
        "()Ljava/lang/Object;",
        false);
    code.visitVarInsn(ASTORE, 2);
  }

  /**
   * An object that refers to no other gets its handle when it is complete: nobody can tell, and the
   * JIT need not fill with zeros what it sees filled at once. Locals as in read.
   */
  private void makeLeaf() {
    MethodVisitor code = generator.method(ACC_PRIVATE, RunGenerator.MAKE, RunGenerator.MAKES);
    openInput(code);
    allocate(code);
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 4);
    if (layout.primitiveBytes > 0) {
      generator.movePrimitives(code, "setPrimitives", layout, 4, 6, 7);
      closeBlock(code, INPUT, layout, 5);
    }
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "addLeaf", "(Ljava/lang/Object;)V", false);
    code.visitVarInsn(ALOAD, 2);
    code.visitInsn(ARETURN);
    AccessGenerator.finish(code);
  }

  private boolean refersToOwnKind() {
    for (int i = 0; i < layout.referenceCount(); i++) {
      if (layout.reference(i) != null && layout.reference(i).getType() == layout.declaring) {
        return true;
      }
    }
    return false;
  }

  /**
   * Makes an object and reads its fields.
   *
   * @param inPlace whether the code that reads fields is here once more: the JIT would put {@link
   *     FieldAccess#read} here only if it has not compiled that before to something large, as it
   *     mostly has where each object has a next one
   */
  private void make(MethodVisitor code, boolean inPlace) throws ReflectiveOperationException {
    allocate(code);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begin", "(Ljava/lang/Object;)I", false);
    code.visitVarInsn(ISTORE, 3);
    if (inPlace) {
      open(code);
      fill(code, false);
    } else {
      code.visitVarInsn(ALOAD, 0);
      code.visitVarInsn(ALOAD, 1);
      code.visitVarInsn(ALOAD, 2);
      code.visitVarInsn(ILOAD, 3);
      code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "read", READ_ONLY, false);
    }
    endObject(code);
  }

  /* Locals of write: 1 sink, 2 object, 3 opening, 5 its length, 6 object as its class, 7 buffer, 8 array, 9 position. */

  private void write() throws ReflectiveOperationException {
    MethodVisitor code = generator.method(ACC_PUBLIC, "write", WRITE);
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 6);
    code.visitVarInsn(LLOAD, 3);
    code.visitVarInsn(LSTORE, OPENING);
    code.visitVarInsn(ALOAD, 1);
    openBlock(code, SINK, OUTPUT, "reserve", Long.BYTES + layout.primitiveBytes, 7);
    Label written = new Label();
    if (layout.canBeNarrower()) {
      new NarrowGenerator(generator, layout, fields).write(code, written);
    }
    writeOpening(code);
    generator.movePrimitives(code, "getPrimitives", layout, 6, 8, 9);
    closeBlock(code, OUTPUT, layout, 7);
    code.visitLabel(written);
    for (int i = layout.primitiveCount; i < layout.codes.length; i++) {
      writeReference(code, i);
    }
    AccessGenerator.end(code);
  }

  /** Always stores eight bytes, of which only the opening's are kept. */
  static void writeOpening(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 8);
    code.visitVarInsn(ILOAD, 9);
    code.visitVarInsn(LLOAD, 3);
    code.visitMethodInsn(
        INVOKESTATIC, Type.getInternalName(PrimitiveBlock.class), "putLong", "([BIJ)V", false);
    code.visitVarInsn(ILOAD, 9);
    code.visitVarInsn(ILOAD, 5);
    code.visitInsn(IADD);
    code.visitVarInsn(ISTORE, 9);
  }

  private void writeReference(MethodVisitor code, int index) throws ReflectiveOperationException {
    Field field = layout.fields[index];
    code.visitVarInsn(ALOAD, 1);
    if (field == null) {
      code.visitInsn(ACONST_NULL);
    } else {
      fields.load(code, index, 6);
    }
    if (field != null && field.getType() == layout.declaring) {
      writeOwnKind(code);
    } else if (field != null && field.getType() == String.class) {
      if (!generator.namesTypes()) {
        code.visitTypeInsn(CHECKCAST, "java/lang/String");
      }
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeString", "(Ljava/lang/String;)V", false);
    } else if (field != null && isExact(field.getType())) {
      fields.pushConstant(code, field.getType(), Class.class);
      code.visitLdcInsn(System.identityHashCode(field.getType()));
      String descriptor = "(Ljava/lang/Object;Ljava/lang/Class;I)V";
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeExact", descriptor, false);
    } else {
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeReference", "(Ljava/lang/Object;)V", false);
    }
  }

  /** Whether a field of this type refers to objects of one class only. */
  private static boolean isExact(Class<?> type) {
    Class<?> component = type.getComponentType();
    return component == null
        ? Modifier.isFinal(type.getModifiers())
        : component.isPrimitive() || isExact(component);
  }

  /**
   * Writes the reference on the stack, above the sink: if it is to an object of the very class of
   * the one that is being written, and that is written with its opening, by this method itself.
   */
  private void writeOwnKind(MethodVisitor code) {
    Label other = new Label();
    Label end = new Label();
    code.visitVarInsn(ASTORE, VALUE);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitJumpInsn(IFNULL, other);
    code.visitVarInsn(ILOAD, 5);
    code.visitJumpInsn(IFEQ, other);
    pushClassOf(code, VALUE);
    pushClassOf(code, 6);
    code.visitJumpInsn(IF_ACMPNE, other);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "begins", "(Ljava/lang/Object;)Z", false);
    code.visitJumpInsn(IFEQ, end);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitVarInsn(LLOAD, OPENING);
    code.visitVarInsn(ILOAD, 5);
    code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "write", WRITE, false);
    code.visitVarInsn(ALOAD, 1);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "ends", "()V", false);
    code.visitJumpInsn(GOTO, end);
    code.visitLabel(other);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeReference", "(Ljava/lang/Object;)V", false);
    code.visitLabel(end);
  }

  private static void pushClassOf(MethodVisitor code, int local) {
    code.visitVarInsn(ALOAD, local);
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
  }

  /*
   * Locals of read: 1 source, 2 object, 3 handle, 4 object as its class, 5 buffer, 6 array, 7 position, then values;
   * LEVELS and NEXT, which come as 4 and 5.
   */

  private MethodVisitor beginRead() {
    MethodVisitor code = generator.method(ACC_PUBLIC, "read", READ);
    code.visitVarInsn(ALOAD, 4);
    code.visitVarInsn(ASTORE, LEVELS);
    code.visitVarInsn(ILOAD, 5);
    code.visitVarInsn(ISTORE, NEXT);
    open(code);
    return code;
  }

  private void open(MethodVisitor code) {
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 4);
    openInput(code);
  }

  private static void readNext(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitVarInsn(ILOAD, 3);
    code.visitVarInsn(ALOAD, LEVELS);
    code.visitVarInsn(ILOAD, NEXT);
    code.visitMethodInsn(INVOKESTATIC, ACCESS, "readNext", READ, false);
  }

  private void openInput(MethodVisitor code) {
    if (layout.primitiveBytes > 0) {
      code.visitVarInsn(ALOAD, 1);
      openBlock(code, SOURCE, INPUT, "require", layout.primitiveBytes, 5);
    }
  }

  /** Straight from the stream if nothing follows. */
  private void readPrimitivesOnly() throws ReflectiveOperationException {
    MethodVisitor code = beginRead();
    Label last = new Label();
    code.visitVarInsn(ILOAD, NEXT);
    code.visitVarInsn(ALOAD, LEVELS);
    code.visitInsn(ARRAYLENGTH);
    code.visitJumpInsn(IF_ICMPGE, last);
    fill(code, true);
    code.visitInsn(RETURN);
    code.visitLabel(last);
    if (layout.primitiveBytes > 0) {
      generator.movePrimitives(code, "setPrimitives", layout, 4, 6, 7);
      closeBlock(code, INPUT, layout, 5);
    }
    AccessGenerator.end(code);
  }

  private void read() throws ReflectiveOperationException {
    MethodVisitor code = beginRead();
    fill(code, true);
    AccessGenerator.end(code);
  }

  /**
   * Reads the fields of the object in local 4, whose handle is in local 3.
   *
   * @param follow whether those of other classes may follow
   */
  private void fill(MethodVisitor code, boolean follow) throws ReflectiveOperationException {
    loadUnits(code);
    int firstReference = unitLocal(units.size());
    Label lost = new Label();
    readReferences(code, firstReference);
    if (follow) {
      readNext(code);
    }
    endIfLost(code, lost);
    checkReferences(code, firstReference);
    int scratch = firstReference + layout.referenceCount();
    for (int i = 0; i < units.size(); i++) {
      units.get(i).emitSet(code, fields, 4, unitLocal(i), scratch);
    }
    setReferences(code, firstReference, scratch);
    code.visitLabel(lost);
  }

  /** The local in which the bytes of a unit wait. */
  private static int unitLocal(int unit) {
    return 8 + 2 * unit;
  }

  private void loadUnits(MethodVisitor code) {
    for (int i = 0; i < units.size(); i++) {
      units.get(i).emitLoad(code, 6, 7, unitLocal(i));
    }
    if (layout.primitiveBytes > 0) {
      closeBlock(code, INPUT, layout, 5);
    }
  }

  /* Locals of make for a record: 1 source, 2 record, 3 handle, 5 and on as in read. */

  /** False if the record cannot be made that way. */
  private boolean readRecord() {
    RecordConstructor constructor = RecordConstructor.of(layout.declaring);
    int[] sources = constructor == null ? null : componentFields(constructor);
    if (sources == null) {
      return false;
    }
    MethodVisitor makes = generator.method(ACC_PUBLIC, "makesRecords", "()Z");
    makes.visitInsn(ICONST_1);
    makes.visitInsn(IRETURN);
    AccessGenerator.finish(makes);
    MethodVisitor code = generator.method(ACC_PRIVATE, RunGenerator.MAKE, RunGenerator.MAKES);
    code.visitVarInsn(ALOAD, 1);
    code.visitInsn(ACONST_NULL);
    code.visitInsn(DUP);
    code.visitVarInsn(ASTORE, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begin", "(Ljava/lang/Object;)I", false);
    code.visitVarInsn(ISTORE, 3);
    openInput(code);
    loadUnits(code);
    Label lost = new Label();
    readReferences(code, unitLocal(units.size()));
    if (layout.referenceCount() > 0) {
      endIfLost(code, lost);
    }
    construct(code, constructor.direct(), sources);
    code.visitLabel(lost);
    endObject(code);
    return true;
  }

  /** The field behind each component; null if one has none. */
  private int @Nullable [] componentFields(RecordConstructor constructor) {
    int[] sources = new int[constructor.components()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = indexOf(constructor.name(i));
      if (sources[i] < 0) {
        return null;
      }
    }
    return sources;
  }

  private int indexOf(String name) {
    for (int i = 0; i < layout.fields.length; i++) {
      if (layout.fields[i] != null && layout.fields[i].getName().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private void construct(MethodVisitor code, MethodHandle constructor, int[] sources) {
    fields.pushConstant(code, constructor, MethodHandle.class);
    for (int field : sources) {
      for (int i = 0; i < units.size(); i++) {
        if (units.get(i).contains(field)) {
          units.get(i).emitValue(code, field, unitLocal(i));
        }
      }
      if (field >= layout.primitiveCount) {
        code.visitVarInsn(ALOAD, unitLocal(units.size()) + field - layout.primitiveCount);
      }
    }
    String type = constructor.type().toMethodDescriptorString();
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", type, false);
    code.visitVarInsn(ASTORE, 2);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "complete", "(ILjava/lang/Object;)V", false);
  }

  /** Ends the object in local 2, whose handle is in local 3, and returns it. */
  private static void endObject(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "end", "(I)V", false);
    code.visitVarInsn(ALOAD, 2);
    code.visitInsn(ARETURN);
    AccessGenerator.finish(code);
  }

  /** Reads them to locals. */
  private void readReferences(MethodVisitor code, int firstLocal) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      code.visitVarInsn(ALOAD, 1);
      if (layout.reference(i) == null) {
        code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "skipReference", "()V", false);
      } else {
        readReference(code, layout.reference(i).getType());
        code.visitVarInsn(ASTORE, firstLocal + i);
      }
    }
  }

  /** Jumps to {@code lost} if the object is of no use any more. */
  private static void endIfLost(MethodVisitor code, Label lost) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "isIntact", "(I)Z", false);
    code.visitJumpInsn(IFEQ, lost);
  }

  /**
   * Takes the source from the stack and leaves what it refers to. An object of the very class that
   * is being read is made by this code itself.
   */
  private void readReference(MethodVisitor code, Class<?> type) {
    Label other = new Label();
    Label end = new Label();
    boolean ownKind = type == layout.declaring;
    if (ownKind) {
      code.visitVarInsn(ALOAD, 0);
      String descriptor = "(L" + Type.getInternalName(ObjectAccess.class) + ";)Z";
      code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begins", descriptor, false);
      code.visitJumpInsn(IFEQ, other);
      code.visitVarInsn(ALOAD, 0);
      code.visitVarInsn(ALOAD, 1);
      code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "readNew", RunGenerator.MAKES, false);
      code.visitVarInsn(ALOAD, 1);
      code.visitVarInsn(ILOAD, 3);
      code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "ends", "(I)V", false);
      code.visitJumpInsn(GOTO, end);
      code.visitLabel(other);
      code.visitVarInsn(ALOAD, 1);
    }
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, reading(type), "(I)Ljava/lang/Object;", false);
    code.visitLabel(end);
  }

  /** The method of the source that reads what a field of this type refers to. */
  private static String reading(Class<?> type) {
    return switch (type.getName()) {
      case "java.lang.String" -> "readString";
      case "java.lang.Integer" -> "readInteger";
      case "java.lang.Long" -> "readLong";
      case "java.lang.Double" -> "readDouble";
      default -> "readReference";
    };
  }

  private void checkReferences(MethodVisitor code, int firstLocal) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      if (layout.reference(i) != null) {
        generator.checkReference(code, i, firstLocal + i, 2);
      }
    }
  }

  private void setReferences(MethodVisitor code, int firstLocal, int scratch)
      throws ReflectiveOperationException {
    for (int i = 0; i < layout.referenceCount(); i++) {
      if (layout.reference(i) == null) {
        continue;
      }
      code.visitVarInsn(ALOAD, firstLocal + i);
      if (generator.namesTypes()) {
        code.visitTypeInsn(CHECKCAST, Type.getInternalName(layout.reference(i).getType()));
      }
      code.visitVarInsn(ASTORE, scratch);
      fields.store(code, layout.primitiveCount + i, 4, scratch);
    }
  }

  /** Takes sink or source from the stack; leaves buffer, array and position in locals. */
  private static void openBlock(
      MethodVisitor code, String owner, String bufferType, String ensure, int bytes, int buffer) {
    code.visitFieldInsn(GETFIELD, owner, "buffer", "L" + bufferType + ";");
    code.visitVarInsn(ASTORE, buffer);
    code.visitVarInsn(ALOAD, buffer);
    code.visitLdcInsn(bytes);
    code.visitMethodInsn(INVOKEVIRTUAL, bufferType, ensure, "(I)V", false);
    code.visitVarInsn(ALOAD, buffer);
    code.visitFieldInsn(GETFIELD, bufferType, "bytes", "[B");
    code.visitVarInsn(ASTORE, buffer + 1);
    code.visitVarInsn(ALOAD, buffer);
    code.visitFieldInsn(GETFIELD, bufferType, "position", "I");
    code.visitVarInsn(ISTORE, buffer + 2);
  }

  /** Advances the buffer's position by the block, which begins at the position in a local. */
  static void closeBlock(MethodVisitor code, String bufferType, FieldLayout layout, int buffer) {
    code.visitVarInsn(ALOAD, buffer);
    code.visitVarInsn(ILOAD, buffer + 2);
    code.visitLdcInsn(layout.primitiveBytes);
    code.visitInsn(IADD);
    code.visitFieldInsn(PUTFIELD, bufferType, "position", "I");
  }
}
