package io.karmi.retrofit.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.retrofit.kit.Program;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.Test;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ByteVector;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.util.TraceClassVisitor;

/** What is not rewired survives, in class files of every age. */
public class ClassFileTest {
  private static final String OUT = "java/io/ObjectOutputStream";
  private static final String UKA_OUT = "io/karmi/uka/RewiredObjectOutputStream";

  private final Transformer transformer =
      new Transformer(RuleSet.onDisk(RetrofitOptions.defaults()), RetrofitOptions.defaults());

  private Outcome transform(byte[] classFile) {
    return transformer.transform(classFile, name -> null);
  }

  private static String text(byte[] classFile) {
    StringWriter text = new StringWriter();
    new ClassReader(classFile).accept(new TraceClassVisitor(new PrintWriter(text)), 0);
    return text.toString().replaceAll("MAX(STACK|LOCALS) = \\d+", "");
  }

  @Test
  public void everythingElseInAClassFileSurvives() {
    Program program =
        Program.of(
            """
            package p;
            import java.io.*;
            import java.util.*;
            import java.util.function.*;
            @Deprecated
            public sealed interface Shape<T extends Comparable<T>> permits Shape.Circle, Shape.Box {
              @FunctionalInterface interface Io<X> { X run() throws IOException; }
              record Circle<T extends Comparable<T>>(@Deprecated T radius, List<? super T> all)
                  implements Shape<T>, Serializable {
                public Circle { Objects.requireNonNull(radius); }
                static int open(@SuppressWarnings("x") OutputStream out, int n) throws IOException {
                  try (ObjectOutputStream o = new ObjectOutputStream(n > 3 ? out : null)) {
                    for (int i = 0; i < n; i++) {
                      o.writeObject("a" + i + n);
                      switch (i) { case 1: n++; break; case 7: n--; break; default: continue; }
                    }
                  } catch (IOException | RuntimeException e) {
                    synchronized (out) { n += 7; }
                  }
                  Io<ObjectOutputStream> io = () -> new ObjectOutputStream(out);
                  return n;
                }
              }
              final class Box<T extends Comparable<T>> implements Shape<T> {
                private int secret;
                class Inner { int look() throws IOException {
                  return secret + (new ObjectOutputStream(null) {}).hashCode(); } }
              }
            }
            """);
    int changed = 0;
    for (String name : new String[] {"p/Shape", "p/Shape$Circle", "p/Shape$Box$Inner"}) {
      byte[] before = program.classFile(name);
      Outcome outcome = transform(before);
      byte[] after = outcome.isChanged() ? outcome.bytes() : before;
      String expected =
          text(before)
              .replace("NEW " + OUT, "NEW " + UKA_OUT)
              .replace("INVOKESPECIAL " + OUT + ".<init>", "INVOKESPECIAL " + UKA_OUT + ".<init>");
      assertThat(text(after)).as(name).isEqualTo(expected);
      changed += outcome.isChanged() ? 1 : 0;
    }
    assertThat(changed).isEqualTo(1);
  }

  @Test
  public void classFilesOfEveryVersionAreAccepted() throws Exception {
    for (int version = 45; version <= 80; version++) {
      byte[] classFile = makesAStream(version, null);
      Outcome outcome = transform(classFile);
      assertThat(outcome.note()).as("version " + version).isNull();
      assertThat(outcome.isChanged()).as("version " + version).isTrue();
      assertThat(version(outcome.bytes())).isEqualTo(version);
      if (version <= 44 + Runtime.version().feature()) {
        assertThat(Program.of(Map.of("Made", outcome.bytes())).call("Made", "run").toString())
            .as("version " + version)
            .startsWith("io.karmi.uka.RewiredObjectOutputStream");
      }
    }
  }

  @Test
  public void aJdkClassOfALaterReleaseThanAsmKnowsOrWithPreviewsGetsItsEntryPoints()
      throws Exception {
    String name = "java/rmi/server/UnicastRemoteObject";
    byte[] original;
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      original = in.readAllBytes();
    }
    int preview = 0xFFFF << 16;
    for (int version : new int[] {80, 80 | preview, Opcodes.V28 | preview, Opcodes.V17 | preview}) {
      byte[] classFile = original.clone();
      ByteBuffer.wrap(classFile).putInt(4, version);
      Outcome outcome =
          new Transformer(RuleSet.inPlace(RetrofitOptions.defaults()), RetrofitOptions.defaults())
              .transformEntryPoints(name, classFile);
      assertThat(outcome.note()).isNull();
      assertThat(outcome.isChanged()).isTrue();
      assertThat(ByteBuffer.wrap(outcome.bytes()).getInt(4)).isEqualTo(version);
    }
  }

  @Test
  public void aClassFileWithAnUnknownConstantStaysAsItIs() {
    byte[] classFile = makesAStream(Opcodes.V17, null);
    classFile[6] = 1; // major version 256 and something
    classFile[10] = 99; // the kind of the first constant
    assertThat(transform(classFile).isChanged()).isFalse();
  }

  @Test
  public void aBrokenClassFileStaysAndIsNoted() {
    byte[] whole = makesAStream(Opcodes.V17, null);
    for (int length = 0; length < whole.length; length++) {
      Outcome outcome = transform(java.util.Arrays.copyOf(whole, length));
      assertThat(outcome.isChanged()).as(length + " bytes").isFalse();
    }
  }

  /** ASM's complaint about such a frame has no message. */
  @Test
  public void aClassWithABrokenFrameStaysAndIsNoted() {
    byte[] whole = makesAStream(Opcodes.V17, null, LambdaNames.METHOD);
    int frame = whole.length - 1;
    while (whole[frame] != (byte) 252) { // append_frame, with one more local
      frame--;
    }
    whole[frame] = (byte) 200; // reserved
    Outcome outcome = transform(whole);
    assertThat(outcome.isChanged()).isFalse();
    assertThat(outcome.note()).contains("broken class file");
  }

  @Test
  public void attributesThatAsmDoesNotKnowSurvive() {
    byte[] classFile = makesAStream(Opcodes.V17, new Secret());
    byte[] after = transform(classFile).bytes();
    Secret read = new Secret();
    byte[][] found = new byte[1][];
    new ClassReader(after)
        .accept(
            new org.objectweb.asm.ClassVisitor(Opcodes.ASM9) {
              @Override
              public void visitAttribute(Attribute attribute) {
                found[0] = ((Secret) attribute).content;
              }
            },
            new Attribute[] {read},
            0);
    assertThat(found[0]).containsExactly(1, 2, 3);
  }

  @Test
  public void karmisOwnClassesStay() throws Exception {
    String name = UKA_OUT + ".class";
    byte[] own = ClassLoader.getSystemResourceAsStream(name).readAllBytes();
    assertThat(transform(own).isChanged()).isFalse();
  }

  private static int version(byte[] classFile) {
    return (classFile[6] & 0xff) << 8 | classFile[7] & 0xff;
  }

  /**
   * {@code static Object run() { return new ObjectOutputStream(nonNull ? new BAOS() : null) }}, by
   * hand.
   */
  private static byte[] makesAStream(int version, Attribute attribute) {
    return makesAStream(version, attribute, "run");
  }

  private static byte[] makesAStream(int version, Attribute attribute, String method) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(
        version, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, "Made", null, "java/lang/Object", null);
    if (attribute != null) {
      writer.visitAttribute(attribute);
    }
    MethodVisitor code =
        writer.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, method, "()Ljava/lang/Object;", null, null);
    code.visitCode();
    code.visitTypeInsn(Opcodes.NEW, OUT);
    code.visitInsn(Opcodes.DUP);
    code.visitTypeInsn(Opcodes.NEW, "java/io/ByteArrayOutputStream");
    code.visitInsn(Opcodes.DUP);
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, "java/io/ByteArrayOutputStream", "<init>", "()V", false);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, OUT, "<init>", "(Ljava/io/OutputStream;)V", false);
    code.visitVarInsn(Opcodes.ASTORE, 0);
    Label end = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitJumpInsn(Opcodes.IFNONNULL, end);
    code.visitInsn(Opcodes.NOP);
    code.visitLabel(end);
    if (version >= Opcodes.V1_6) {
      code.visitFrame(Opcodes.F_APPEND, 1, new Object[] {OUT}, 0, null);
    }
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static final class Secret extends Attribute {
    byte[] content = {1, 2, 3};

    Secret() {
      super("io.karmi.Secret");
    }

    @Override
    protected Attribute read(
        ClassReader reader, int offset, int length, char[] buffer, int code, Label[] labels) {
      Secret secret = new Secret();
      secret.content = new byte[length];
      for (int i = 0; i < length; i++) {
        secret.content[i] = (byte) reader.readByte(offset + i);
      }
      return secret;
    }

    @Override
    protected ByteVector write(
        ClassWriter writer, byte[] code, int length, int maxStack, int maxLocals) {
      return new ByteVector().putByte(1).putByte(2).putByte(3);
    }
  }
}
