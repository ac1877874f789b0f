package io.karmi.retrofit.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.retrofit.kit.Program;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.util.TraceClassVisitor;

/** Exchanging in place steps over every instruction, at the limits of a class file too. */
public class CreationsTest {
  private static final String OUT = "java/io/ObjectOutputStream";
  private static final String UKA_OUT = "io/karmi/uka/RewiredObjectOutputStream";
  private static final int MOST_CODE_BYTES = 65535;

  /** Bytes of {@link #create} and of {@code areturn}. */
  private static final int CREATION_BYTES = 11;

  private final Transformer transformer =
      new Transformer(RuleSet.onDisk(RetrofitOptions.defaults()), RetrofitOptions.defaults());

  private Outcome transform(byte[] classFile) {
    return transformer.transform(classFile, name -> null);
  }

  private static String text(byte[] classFile) {
    StringWriter text = new StringWriter();
    new ClassReader(classFile).accept(new TraceClassVisitor(new PrintWriter(text)), 0);
    return text.toString();
  }

  private static byte[] classWith(int version, Consumer<MethodVisitor> body) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(version, Opcodes.ACC_PUBLIC, "Made", null, "java/lang/Object", null);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    MethodVisitor code = writer.visitMethod(access, "run", "()Ljava/lang/Object;", null, null);
    code.visitCode();
    body.accept(code);
    create(code);
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  /** {@code new ObjectOutputStream(OutputStream.nullOutputStream())}. */
  private static void create(MethodVisitor code) {
    code.visitTypeInsn(Opcodes.NEW, OUT);
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "java/io/OutputStream",
        "nullOutputStream",
        "()Ljava/io/OutputStream;",
        false);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, OUT, "<init>", "(Ljava/io/OutputStream;)V", false);
  }

  private static void nops(MethodVisitor code, int count) {
    for (int i = 0; i < count; i++) {
      code.visitInsn(Opcodes.NOP);
    }
  }

  private void onlyTheCreationChanges(byte[] before) {
    Outcome outcome = transform(before);
    assertThat(outcome.note()).isNull();
    assertThat(outcome.changes())
        .containsExactly(
            "new java.io.ObjectOutputStream -> io.karmi.uka.RewiredObjectOutputStream");
    assertThat(text(outcome.bytes()))
        .isEqualTo(
            text(before)
                .replace("NEW " + OUT, "NEW " + UKA_OUT)
                .replace(
                    "INVOKESPECIAL " + OUT + ".<init>", "INVOKESPECIAL " + UKA_OUT + ".<init>"));
  }

  private static Object made(byte[] classFile) throws Exception {
    return Program.of(Map.of("Made", classFile)).call("Made", "run");
  }

  @Test
  public void switchesAreSteppedOverAtEveryAlignment() throws Exception {
    for (int alignment = 0; alignment < 4; alignment++) {
      int padding = alignment;
      byte[] classFile =
          classWith(
              Opcodes.V1_5,
              code -> {
                nops(code, padding);
                Label end = new Label();
                code.visitInsn(Opcodes.ICONST_2);
                code.visitTableSwitchInsn(-1, 3, end, end, end, end, end, end);
                code.visitLabel(end);
                Label after = new Label();
                code.visitInsn(Opcodes.ICONST_2);
                code.visitLookupSwitchInsn(
                    after, new int[] {0xbb, 0xbb00, 0xbb0000}, new Label[] {after, after, after});
                code.visitLabel(after);
                code.visitInsn(Opcodes.ICONST_0);
                Label empty = new Label();
                code.visitLookupSwitchInsn(empty, new int[0], new Label[0]);
                code.visitLabel(empty);
              });
      onlyTheCreationChanges(classFile);
      assertThat(made(transform(classFile).bytes()).getClass().getName())
          .isEqualTo(UKA_OUT.replace('/', '.'));
    }
  }

  @Test
  public void instructionsOfEveryLengthAreSteppedOver() {
    onlyTheCreationChanges(
        classWith(
            Opcodes.V11,
            code -> {
              for (int i = 0; i < 300; i++) {
                code.visitLdcInsn("constant " + i); // ldc and ldc_w
                code.visitVarInsn(Opcodes.ASTORE, i); // with and without wide
              }
              code.visitLdcInsn(5L);
              code.visitVarInsn(Opcodes.LSTORE, 400);
              code.visitIntInsn(Opcodes.BIPUSH, 0xbb - 256);
              code.visitVarInsn(Opcodes.ISTORE, 2);
              code.visitIincInsn(2, 1);
              code.visitIincInsn(2, 0x0bbb); // wide
              code.visitIntInsn(Opcodes.SIPUSH, 0x00bb);
              code.visitIntInsn(Opcodes.NEWARRAY, Opcodes.T_INT);
              code.visitInsn(Opcodes.POP);
              code.visitInsn(Opcodes.ICONST_1);
              code.visitInsn(Opcodes.ICONST_1);
              code.visitMultiANewArrayInsn("[[I", 2);
              code.visitTypeInsn(Opcodes.INSTANCEOF, "[I");
              code.visitInsn(Opcodes.POP);
              code.visitFieldInsn(Opcodes.GETSTATIC, "Made", "field", "Ljava/util/List;");
              code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/util/List", "size", "()I", true);
              code.visitInsn(Opcodes.POP);
              code.visitInvokeDynamicInsn("get", "()V", bootstrap(), "x");
            }));
  }

  private static Handle bootstrap() {
    return new Handle(Opcodes.H_INVOKESTATIC, "Made", "bootstrap", "()Ljava/lang/Object;", false);
  }

  @Test
  public void subroutinesOfOldCompilersAreSteppedOver() throws Exception {
    byte[] classFile =
        classWith(
            Opcodes.V1_4,
            code -> {
              Label subroutine = new Label();
              Label start = new Label();
              code.visitJumpInsn(Opcodes.JSR, subroutine);
              code.visitJumpInsn(Opcodes.GOTO, start);
              code.visitLabel(subroutine);
              code.visitVarInsn(Opcodes.ASTORE, 1);
              code.visitVarInsn(Opcodes.RET, 1);
              code.visitLabel(start);
            });
    onlyTheCreationChanges(classFile);
    assertThat(made(transform(classFile).bytes()).getClass().getName())
        .isEqualTo(UKA_OUT.replace('/', '.'));
  }

  @Test
  public void theLargestMethodIsRewired() throws Exception {
    byte[] classFile =
        classWith(Opcodes.V1_5, code -> nops(code, MOST_CODE_BYTES - CREATION_BYTES));
    onlyTheCreationChanges(classFile);
    assertThat(made(transform(classFile).bytes()).getClass().getName())
        .isEqualTo(UKA_OUT.replace('/', '.'));
  }

  @Test
  public void whatWouldGrowTooLargeStaysAndTheRestIsRewired() {
    byte[] classFile =
        classWith(
            Opcodes.V1_5,
            code -> {
              nops(code, MOST_CODE_BYTES - CREATION_BYTES - 9);
              code.visitLdcInsn(Type.getObjectType(OUT));
              code.visitInsn(Opcodes.ACONST_NULL);
              code.visitMethodInsn(
                  Opcodes.INVOKEVIRTUAL,
                  "java/lang/Class",
                  "getConstructor",
                  "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;",
                  false);
              code.visitInsn(Opcodes.POP);
            });
    Outcome outcome = transform(classFile);
    assertThat(outcome.remark())
        .isEqualTo("nothing more is done: with more it is too large for a class file");
    assertThat(text(outcome.bytes())).contains("NEW " + UKA_OUT).contains("LDC L" + OUT);
  }

  @Test
  public void aFullConstantPoolStaysAndIsNoted() {
    ClassWriter writer = new ClassWriter(new ClassReader(classWith(Opcodes.V17, code -> {})), 0);
    new ClassReader(classWith(Opcodes.V17, code -> {})).accept(writer, 0);
    int count = 0;
    while (count < 65534) {
      count = writer.newUTF8("filler " + count) + 1;
    }
    Outcome outcome = transform(writer.toByteArray());
    assertThat(outcome.isChanged()).isFalse();
    assertThat(outcome.note()).isEqualTo("its constant pool is full");
  }

  @Test
  public void constructorsInsideDynamicConstantsAreExchanged() {
    Handle constructor =
        new Handle(Opcodes.H_NEWINVOKESPECIAL, OUT, "<init>", "(Ljava/io/OutputStream;)V", false);
    byte[] classFile =
        classWith(
            Opcodes.V17,
            code -> {
              code.visitLdcInsn(
                  new ConstantDynamic("x", "Ljava/lang/Object;", bootstrap(), constructor));
              code.visitInsn(Opcodes.POP);
            });
    assertThat(text(transform(classFile).bytes()))
        .contains(UKA_OUT + ".<init>(Ljava/io/OutputStream;)V")
        .doesNotContain(OUT + ".<init>");
  }

  @Test
  public void everyByteThatNeedNotChangeStays() {
    byte[] before = classWith(Opcodes.V17, code -> nops(code, 100));
    byte[] after = transform(before).bytes();
    int added = after.length - before.length;
    int different = 0;
    int rest = new ClassBytes(before).endOfConstants;
    for (int i = rest; i < before.length; i++) {
      different += before[i] == after[i + added] ? 0 : 1;
    }
    assertThat(different).as("bytes of the number behind new").isBetween(1, 2);
  }
}
