package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeFalse;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Streams that programs create by reflection or by Groovy: of several in one method each is
 * rewired, and nothing else.
 */
public class ReflectionUnderTheAgentTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String REFLECTION =
      """
      package app;
      import java.io.*;
      import java.lang.invoke.*;
      import java.lang.reflect.*;
      public class Reflection {
        static String name(Object made) {
          Class<?> type = made instanceof Constructor<?> c ? c.getDeclaringClass() : made.getClass();
          return type.getName().startsWith("io.karmi.uka.") ? "rewired" : type.getSimpleName();
        }
        static void two() throws Exception {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          ObjectOutputStream out =
              ObjectOutputStream.class.getConstructor(OutputStream.class).newInstance(bytes);
          out.writeObject("copied");
          out.close();
          InputStream from = new ByteArrayInputStream(bytes.toByteArray());
          ObjectInputStream in =
              ObjectInputStream.class.getConstructor(InputStream.class).newInstance(from);
          System.out.println("two: " + in.readObject() + " " + name(out) + " " + name(in));
        }
        static Object[] many(boolean known) throws Exception {
          Class<? extends OutputStream> type = known ? ObjectOutputStream.class : null;
          Object a = ObjectOutputStream.class.getConstructor(OutputStream.class);
          Object b = ObjectInputStream.class.getDeclaredConstructor(InputStream.class);
          Object c = type.getConstructor(OutputStream.class);
          Object d = Class.forName("java.io.ObjectOutputStream").getConstructor(OutputStream.class);
          Object e = MethodHandles.lookup().findConstructor(ObjectInputStream.class,
              MethodType.methodType(void.class, InputStream.class))
              .invoke((InputStream) new ByteArrayInputStream(HEADER));
          return new Object[] {
            a, b, c, d, e, ObjectOutputStream.class.getConstructor(OutputStream.class)
          };
        }
        static final byte[] HEADER = {(byte) 0xac, (byte) 0xed, 0, 5};
        static String brief() throws Exception {
          ObjectOutputStream.class.getConstructor(OutputStream.class);
          ObjectOutputStream.class.getConstructor(OutputStream.class);
          ObjectOutputStream.class.getConstructor(OutputStream.class);
          return name(ObjectOutputStream.class.getConstructor(OutputStream.class));
        }
        static String others() throws Exception {
          Object a = ByteArrayOutputStream.class.getConstructor().newInstance();
          Object b = ObjectOutputStream.class.getConstructor(OutputStream.class).newInstance(a);
          Object c = ByteArrayOutputStream.class.getConstructor().newInstance();
          Object d = BufferedOutputStream.class.getConstructor(OutputStream.class).newInstance(c);
          Object e = ObjectOutputStream.class.getConstructor(OutputStream.class).newInstance(d);
          Object f = StringBuilder.class.getConstructor(String.class).newInstance("x");
          return name(a) + name(b) + name(c) + name(d) + name(e) + name(f);
        }
        public static void main(String[] a) throws Throwable {
          two();
          for (Object each : many(true)) { System.out.println("many: " + name(each)); }
          System.out.println("brief: " + brief());
          System.out.println("others: " + others());
          System.out.println(
              "beside: " + name(new ObjectOutputStream(OutputStream.nullOutputStream())));
        }
      }
      """
          .replace("many(boolean known) throws Exception", "many(boolean known) throws Throwable");

  private static final String SCRIPT =
      """
      class Mine extends ObjectInputStream {
        final List seen = []
        Mine(InputStream from) { super(from) }
        protected Class<?> resolveClass(ObjectStreamClass type) {
          seen << type.name
          super.resolveClass(type)
        }
      }
      @groovy.transform.CompileStatic
      class Checked {
        static Object copy(Object value) {
          def bytes = new ByteArrayOutputStream()
          new ObjectOutputStream(bytes).withCloseable { it.writeObject(value) }
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject()
        }
      }
      def bytes = new ByteArrayOutputStream()
      def out = new ObjectOutputStream(bytes)
      out.writeObject([1, 'two', [three: 3.0]])
      out.flush()
      def input = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))
      println "script: ${input.readObject()}"
      println([out, input].collect { it.class.name })
      def copies = (1..3).collect { each ->
        def to = new ByteArrayOutputStream()
        new ObjectOutputStream(to).writeObject(each)
        new ObjectInputStream(new ByteArrayInputStream(to.toByteArray())).readObject()
      }
      println "closure: $copies"
      println "static: ${Checked.copy('value')}"
      def mine = new Mine(new ByteArrayInputStream(bytes.toByteArray()))
      println "subclass: ${mine.readObject()} ${mine.seen.contains('java.util.LinkedHashMap')}"
      """;

  private static Path root;
  private static Path karmi;
  private static Path classes;

  @BeforeClass
  public static void compile() throws Exception {
    root = FOLDER.getRoot().toPath();
    karmi = Jars.karmi(root);
    classes = Sources.compile(root.resolve("classes"), List.of(), REFLECTION);
  }

  /** Runs a program on streams that write UKA's format, which a stream of the JDK's cannot read. */
  private static String run(Object... command) throws Exception {
    Object[] all = new Object[command.length + 2];
    all[0] = "-javaagent:" + karmi;
    all[1] = "-Duka.format=uka";
    System.arraycopy(command, 0, all, 2, command.length);
    Jvm.Result result = Jvm.java(all);
    assertThat(result.err()).isEmpty();
    assertThat(result.exit()).isZero();
    return result.out();
  }

  @Test
  public void eachOfSeveralCreationsInOneMethodIsRewiredAndNothingElse() throws Exception {
    assertThat(run("-cp", classes, "app.Reflection").lines())
        .containsExactly(
            "two: copied rewired rewired",
            "many: rewired",
            "many: rewired",
            "many: ObjectOutputStream", // may be null: not certain
            "many: rewired",
            "many: rewired",
            "many: rewired",
            "brief: rewired",
            "others: ByteArrayOutputStreamrewiredByteArrayOutputStreamBufferedOutputStream"
                + "rewiredStringBuilder",
            "beside: rewired");
  }

  @Test
  public void aScriptOfGroovyWritesAndReads() throws Exception {
    Path script = Files.writeString(root.resolve("Script.groovy"), SCRIPT);
    Path groovy = groovy();
    Jvm.Result stock = Jvm.java("-cp", groovy, "groovy.ui.GroovyMain", script);
    assumeFalse(
        "Groovy does not read this JDK's classes: " + stock.err(),
        stock.err().contains("Unsupported class file major version"));
    String out = run("-cp", groovy, "groovy.ui.GroovyMain", script);
    assertThat(out.lines())
        .containsExactly(
            "script: [1, two, [three:3.0]]",
            "[io.karmi.uka.RewiredObjectOutputStream, io.karmi.uka.RewiredObjectInputStream]",
            "closure: [1, 2, 3]",
            "static: value",
            "subclass: [1, two, [three:3.0]] true");
  }

  private static Path groovy() {
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (each.matches(".*[/\\\\]groovy-4[^/\\\\]*\\.jar")) {
        return Path.of(each);
      }
    }
    throw new AssertionError("no Groovy on the class path of this test");
  }

  /** A method in which the stack is of no certain depth, which no JVM verifies before it runs. */
  private static void writeBroken(Path directory) throws IOException {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "app/Broken", null, "java/lang/Object", null);
    MethodVisitor code =
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run", "()V", null, null);
    code.visitCode();
    code.visitInsn(Opcodes.POP);
    code.visitLdcInsn(org.objectweb.asm.Type.getObjectType("java/io/ObjectOutputStream"));
    code.visitInsn(Opcodes.ACONST_NULL);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/Class",
        "getConstructor",
        "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;",
        false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(2, 0);
    code.visitEnd();
    writer.visitEnd();
    Files.write(directory.resolve("app/Broken.class"), writer.toByteArray());
  }

  @Test
  public void aClassThatCannotBeRewrittenIsToldOnceAndStays() throws Exception {
    Path host =
        Sources.compile(
            root.resolve("broken"),
            List.of(),
            """
            package app;
            import java.net.*;
            public class Host {
              public static void main(String[] args) throws Exception {
                URL here = Host.class.getProtectionDomain().getCodeSource().getLocation();
                for (int i = 0; i < 3; i++) {
                  new URLClassLoader(new URL[] {here}, null).loadClass("app.Broken");
                }
                System.out.println("loaded");
              }
            }
            """);
    writeBroken(host);
    Jvm.Result result = Jvm.java("-javaagent:" + karmi, "-cp", host, "app.Host");
    assertThat(result.out()).isEqualTo("loaded\n");
    assertThat(result.err().lines())
        .containsExactly("karmi: app.Broken: left as it is: its method run()V cannot be analyzed");
  }
}
