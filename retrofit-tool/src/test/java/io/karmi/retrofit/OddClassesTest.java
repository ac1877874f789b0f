package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Classes of rare shapes print the same on every delivery as on the JDK alone, woven or not. */
public class OddClassesTest implements Opcodes {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final int ALMOST_THE_LONGEST_METHOD = 65_400;

  private static final String PROGRAM =
      """
      package app;
      import java.io.*;
      import java.util.*;
      import java.util.function.*;
      public class Main {
        interface Streams {
          static ObjectOutputStream out(OutputStream to) throws IOException {
            return new ObjectOutputStream(to);
          }
          default ObjectInputStream in(InputStream from) throws IOException {
            return new ObjectInputStream(from);
          }
        }
        interface Maker<A, R, E extends Exception> { R make(A a) throws E; }
        static <T extends InputStream & Closeable> ObjectInputStream open(
            T in, Maker<? super T, ? extends ObjectInputStream, IOException> maker)
            throws IOException {
          return maker.make(in);
        }
        sealed interface Shape extends Serializable permits Circle, Poly {}
        record Circle(double radius) implements Shape {}
        static sealed abstract class Poly implements Shape permits Square, Free {
          final int sides;
          Poly(int sides) { this.sides = sides; }
        }
        static final class Square extends Poly {
          final long width;
          Square(long width) { super(4); this.width = width; }
          @Override public String toString() { return sides + " of " + width; }
        }
        static non-sealed class Free extends Poly {
          byte b = -3; char c = '\\uffff'; short s = -1; boolean z = true; float f = -0f;
          Free() { super(7); }
          @Override public String toString() {
            return sides + " " + b + (int) c + s + z + Float.floatToRawIntBits(f);
          }
        }
        enum Kind {
          A { @Override String text() { return "a"; } },
          B { final String own = "b"; @Override String text() { return own; } };
          abstract String text();
        }
        static class Node implements Serializable {
          final long wide;
          final Object self = this;
          Node next;
          Kind kind = Kind.B;
          transient int lost = 9;
          String[][] grid = {{"x"}, null};
          Node(long wide) { this.wide = wide; }
          @Override public String toString() {
            return wide + kind.text() + lost + (self == this) + Arrays.deepToString(grid)
                + (next == null ? "" : next);
          }
        }
        record Holder<T extends Comparable<T>>(T key, Node node, Shape[] shapes, int... rest)
            implements Serializable {
          Holder {
            if (rest == null) throw new IllegalArgumentException("no rest");
          }
          @Override public String toString() {
            return key + " " + node + Arrays.toString(shapes) + Arrays.toString(rest);
          }
        }
        static class Outer implements Serializable {
          int deep = 1;
          class Inner implements Serializable {
            int own = 8;
            @Override public String toString() { return deep + " " + own; }
          }
        }
        static ObjectOutputStream marking(OutputStream to, int[] count, String mark)
            throws IOException {
          int length = mark.length();
          return new ObjectOutputStream(to) {
            final int first = length + count[0];
            { enableReplaceObject(true); }
            @Override protected Object replaceObject(Object object) {
              count[0]++;
              return object instanceof String s ? mark + s + first : object;
            }
            @Override protected void annotateClass(Class<?> type) throws IOException {
              writeUTF(type.getSimpleName() + length);
              super.annotateClass(type);
            }
          };
        }
        static ObjectInputStream seeing(InputStream from, List<String> seen) throws IOException {
          class Local extends ObjectInputStream {
            Local() throws IOException { super(from); }
            @Override protected Class<?> resolveClass(ObjectStreamClass type)
                throws IOException, ClassNotFoundException {
              seen.add(readUTF());
              return super.resolveClass(type);
            }
          }
          return new Local();
        }
        static byte[] bytes(Object object, Maker<OutputStream, ObjectOutputStream, IOException> maker)
            throws IOException {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = maker.make(bytes)) {
            out.writeObject(object);
          }
          return bytes.toByteArray();
        }
        static Object copy(Object object) throws Exception {
          return open(new ByteArrayInputStream(bytes(object, ObjectOutputStream::new)),
              ObjectInputStream::new).readObject();
        }
        static Object made(String name, Object object) throws Exception {
          return Class.forName(name).getMethod("run", Object.class).invoke(null, object);
        }
        public static void main(String[] args) throws Exception {
          Node node = new Node(1L << 40);
          node.next = new Node(-1);
          System.out.println(new Streams() {}.in(
              new ByteArrayInputStream(bytes(node, Streams::out))).readObject());
          IntFunction<ObjectInputStream[]> array = ObjectInputStream[]::new;
          System.out.println(array.apply(3).getClass().getName());
          System.out.println(Arrays.toString((Object[]) copy(
              new Shape[] {new Circle(Math.PI), new Square(300), new Free(), null})));
          System.out.println(copy(new Holder<>("k", node, new Shape[] {new Square(-1)}, 1, 2)));
          System.out.println(copy(Kind.B) == Kind.B);
          System.out.println(copy(new EnumMap<>(Map.of(Kind.A, node))));
          System.out.println(copy(new Outer().new Inner()));
          int more = args.length + 4;
          Supplier<Object> lambda = (Supplier<Object> & Serializable) () -> node.toString() + more;
          System.out.println(((Supplier<?>) copy(lambda)).get());
          int[] count = {0};
          List<String> seen = new ArrayList<>();
          byte[] marked = bytes(List.of("x", node, "x"), to -> marking(to, count, "mark "));
          System.out.println(seeing(new ByteArrayInputStream(marked), seen).readObject());
          System.out.println(count[0] + " " + seen);
          System.out.println(Arrays.toString(Shape.class.getPermittedSubclasses()));
          System.out.println(ObjectStreamClass.lookup(Node.class).getSerialVersionUID());
          for (String name : List.of("Subroutine", "ManyConstants", "LongMethod", "LongReflection")) {
            System.out.println(name + ": " + made("app." + name, node));
          }
        }
      }
      """;

  private static Path root;
  private static Path karmi;
  private static Path classes;
  private static Jvm.Result stock;

  @BeforeClass
  public static void runOnTheJdkAlone() throws Exception {
    root = FOLDER.getRoot().toPath();
    karmi = Jars.karmi(root);
    classes = Sources.compile(root.resolve("classes"), List.of(), PROGRAM);
    writeSubroutine();
    write("ManyConstants", V17, 30_000, code -> copyArgument(code, false));
    write("LongMethod", V1_6, 0, code -> copyArgument(nops(code), false));
    write("LongReflection", V1_6, 300, code -> copyArgument(nops(code), true));
    stock = Jvm.java("-cp", classes, "app.Main");
    assertThat(stock.err()).isEmpty();
    assertThat(stock.out()).hasLineCount(16).contains("LongReflection: 1099511627776b0true");
  }

  /** Its body is a subroutine, as compilers made them for {@code finally} before Java 6. */
  private static void writeSubroutine() throws IOException {
    write(
        "Subroutine",
        V1_1,
        0,
        code -> {
          Label subroutine = new Label();
          code.visitJumpInsn(JSR, subroutine);
          code.visitVarInsn(ALOAD, 3);
          code.visitInsn(ARETURN);
          code.visitLabel(subroutine);
          code.visitVarInsn(ASTORE, 4);
          copyArgument(code, false);
          code.visitVarInsn(ASTORE, 3);
          code.visitVarInsn(RET, 4);
        });
  }

  /**
   * A class with one method, which returns what the body leaves on the stack.
   *
   * @param strings how many string constants come first
   */
  private static void write(String name, int version, int strings, Consumer<MethodVisitor> body)
      throws IOException {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(version, ACC_PUBLIC | ACC_SUPER, "app/" + name, null, "java/lang/Object", null);
    for (int i = 0; i < strings; i++) {
      writer.newConst("string " + i);
    }
    String descriptor = "(Ljava/lang/Object;)Ljava/lang/Object;";
    MethodVisitor code = writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "run", descriptor, null, null);
    code.visitCode();
    body.accept(code);
    if (version != V1_1) {
      code.visitInsn(ARETURN);
    }
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    Files.write(classes.resolve("app/" + name + ".class"), writer.toByteArray());
  }

  private static MethodVisitor nops(MethodVisitor code) {
    for (int i = 0; i < ALMOST_THE_LONGEST_METHOD; i++) {
      code.visitInsn(NOP);
    }
    return code;
  }

  /** Pushes a copy of the object in local 0 that has been through streams. */
  private static void copyArgument(MethodVisitor code, boolean byReflection) {
    construct(code, "java/io/ByteArrayOutputStream", "()V", () -> {});
    code.visitVarInsn(ASTORE, 1);
    if (byReflection) {
      reflect(code);
    } else {
      construct(
          code,
          "java/io/ObjectOutputStream",
          "(Ljava/io/OutputStream;)V",
          () -> code.visitVarInsn(ALOAD, 1));
    }
    code.visitVarInsn(ASTORE, 2);
    code.visitVarInsn(ALOAD, 2);
    code.visitVarInsn(ALOAD, 0);
    call(code, "java/io/ObjectOutputStream", "writeObject", "(Ljava/lang/Object;)V");
    code.visitVarInsn(ALOAD, 2);
    call(code, "java/io/ObjectOutputStream", "close", "()V");
    construct(
        code,
        "java/io/ObjectInputStream",
        "(Ljava/io/InputStream;)V",
        () ->
            construct(
                code,
                "java/io/ByteArrayInputStream",
                "([B)V",
                () -> {
                  code.visitVarInsn(ALOAD, 1);
                  call(code, "java/io/ByteArrayOutputStream", "toByteArray", "()[B");
                }));
    call(code, "java/io/ObjectInputStream", "readObject", "()Ljava/lang/Object;");
  }

  private static void construct(
      MethodVisitor code, String type, String descriptor, Runnable arguments) {
    code.visitTypeInsn(NEW, type);
    code.visitInsn(DUP);
    arguments.run();
    code.visitMethodInsn(INVOKESPECIAL, type, "<init>", descriptor, false);
  }

  private static void call(MethodVisitor code, String owner, String name, String descriptor) {
    code.visitMethodInsn(INVOKEVIRTUAL, owner, name, descriptor, false);
  }

  /** {@code ObjectOutputStream.class.getConstructor(OutputStream.class).newInstance(local 1)}. */
  private static void reflect(MethodVisitor code) {
    code.visitLdcInsn(Type.getObjectType("java/io/ObjectOutputStream"));
    arrayOf(
        code,
        "java/lang/Class",
        () -> code.visitLdcInsn(Type.getObjectType("java/io/OutputStream")));
    call(
        code,
        "java/lang/Class",
        "getConstructor",
        "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;");
    arrayOf(code, "java/lang/Object", () -> code.visitVarInsn(ALOAD, 1));
    call(
        code,
        "java/lang/reflect/Constructor",
        "newInstance",
        "([Ljava/lang/Object;)Ljava/lang/Object;");
    code.visitTypeInsn(CHECKCAST, "java/io/ObjectOutputStream");
  }

  private static void arrayOf(MethodVisitor code, String type, Runnable element) {
    code.visitInsn(ICONST_1);
    code.visitTypeInsn(ANEWARRAY, type);
    code.visitInsn(DUP);
    code.visitInsn(ICONST_0);
    element.run();
    code.visitInsn(AASTORE);
  }

  private static void karmiRetrofit(Object... arguments) throws Exception {
    Object[] all = new Object[arguments.length + 3];
    all[0] = "-cp";
    all[1] = karmi;
    all[2] = "io.karmi.retrofit.cli.KarmiRetrofit";
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    Jvm.Result made = Jvm.java(all);
    assertThat(made.exit()).as(made.err()).isZero();
  }

  private static void sameAsStock(Object... arguments) throws Exception {
    assertThat(Jvm.java(arguments)).isEqualTo(stock);
  }

  @Test
  public void agent() throws Exception {
    sameAsStock("-javaagent:" + karmi, "-cp", classes, "app.Main");
    sameAsStock("-javaagent:" + karmi + "=weave", "-cp", classes, "app.Main");
  }

  @Test
  public void bootPath() throws Exception {
    Path boot = root.resolve("boot");
    karmiRetrofit("--boot", boot);
    sameAsStock("@" + boot.resolve("java.args"), "-cp", classes, "app.Main");
  }

  @Test
  public void rewritten() throws Exception {
    for (String option : List.of("--no-weave", "--weave")) {
      Path out = root.resolve("out" + option);
      karmiRetrofit(option, classes, "-o", out);
      sameAsStock("-cp", out + File.pathSeparator + karmi, "app.Main");
    }
  }
}
