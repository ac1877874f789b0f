package io.karmi.retrofit.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.retrofit.kit.Program;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Each way to make an object stream makes one of UKA's, and what only mentions the type stays. */
public class StreamRewiringTest {
  private static final String UKA_OUT = "io.karmi.uka.RewiredObjectOutputStream";
  private static final String UKA_IN = "io.karmi.uka.RewiredObjectInputStream";

  private static Object rewired(String body) throws Exception {
    return rewired("", body, new String[0]);
  }

  private static Object rewired(String body, String unit) throws Exception {
    return rewired("", body, new String[] {unit});
  }

  private static Object rewired(String options, String body, String... moreUnits) throws Exception {
    String main =
        """
        import java.io.*;
        import java.lang.invoke.*;
        import java.util.function.*;
        public class Main {
          interface Maker { ObjectOutputStream make(OutputStream out) throws Exception; }
          static String superName(Object o) { return o.getClass().getSuperclass().getName(); }
          static String name(Object o) { return o.getClass().getName(); }
          static InputStream in() throws Exception {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).flush();
            return new ByteArrayInputStream(bytes.toByteArray());
          }
          public static Object run() throws Exception {
            OutputStream out = new ByteArrayOutputStream();
        """
            + body
            + "\n  }\n}\n";
    String[] units = new String[moreUnits.length + 1];
    units[0] = main;
    System.arraycopy(moreUnits, 0, units, 1, moreUnits.length);
    return Program.of(units).rewired(transformer(options)).call("Main", "run");
  }

  private static Transformer transformer(String options) {
    RetrofitOptions parsed = RetrofitOptions.parse(options);
    return new Transformer(RuleSet.onDisk(parsed), parsed);
  }

  @Test
  public void newMakesUkasStreams() throws Exception {
    assertThat(rewired("return name(new ObjectOutputStream(out));")).isEqualTo(UKA_OUT);
    assertThat(rewired("return name(new ObjectInputStream(in()));")).isEqualTo(UKA_IN);
  }

  @Test
  public void argumentsWithBranchesKeepTheirFrames() throws Exception {
    assertThat(
            rewired(
                "return name(new ObjectOutputStream(out == null ? System.err : out)) + name(new"
                    + " ObjectOutputStream(System.nanoTime() == 0 ? null : out));"))
        .isEqualTo(UKA_OUT + UKA_OUT);
  }

  @Test
  public void subclassesExtendUkasStreams() throws Exception {
    String mine =
        """
        import java.io.*;
        public class Mine extends ObjectOutputStream {
          public Mine(OutputStream out) throws IOException { super(new BufferedOutputStream(out)); }
          @Override protected Object replaceObject(Object o) throws IOException {
            return super.replaceObject(o);
          }
        }
        """;
    assertThat(rewired("return superName(new Mine(out));", mine)).isEqualTo(UKA_OUT);
  }

  @Test
  public void anonymousSubclassesExtendUkasStreams() throws Exception {
    assertThat(
            rewired(
                "return superName(new ObjectInputStream(in()) {"
                    + " protected Class<?> resolveClass(ObjectStreamClass c) throws IOException,"
                    + " ClassNotFoundException { return super.resolveClass(c); } });"))
        .isEqualTo(UKA_IN);
  }

  @Test
  public void superclassesWithTypeParametersKeepTheirSignature() throws Exception {
    String mine =
        """
        import java.io.*;
        import java.util.*;
        public class Mine<T> extends ObjectOutputStream implements Comparator<T> {
          public Mine(OutputStream out) throws IOException { super(out); }
          public int compare(T a, T b) { return 0; }
        }
        """;
    assertThat(
            rewired(
                "return Mine.class.getGenericSuperclass() + \" \" +"
                    + " Mine.class.getGenericInterfaces()[0];",
                mine))
        .isEqualTo("class " + UKA_OUT + " java.util.Comparator<T>");
  }

  @Test
  public void constructorReferencesMakeUkasStreams() throws Exception {
    assertThat(rewired("Maker maker = ObjectOutputStream::new; return name(maker.make(out));"))
        .isEqualTo(UKA_OUT);
  }

  @Test
  public void superMethodReferencesCallUkasStreams() throws Exception {
    String mine =
        """
        import java.io.*;
        public class Mine extends ObjectOutputStream {
          public interface Io { void run() throws IOException; }
          public Mine(OutputStream out) throws IOException { super(out); }
          @Override public void flush() throws IOException { Io io = super::flush; io.run(); }
        }
        """;
    assertThat(rewired("Mine m = new Mine(out); m.flush(); return superName(m);", mine))
        .isEqualTo(UKA_OUT);
  }

  @Test
  public void reflectionOnTheClassConstantMakesUkasStreams() throws Exception {
    assertThat(
            rewired(
                "return name(ObjectOutputStream.class.getConstructor(OutputStream.class)"
                    + ".newInstance(out));"))
        .isEqualTo(UKA_OUT);
    assertThat(
            rewired(
                "Class<? extends ObjectInput> c = ObjectInputStream.class;"
                    + " Class<?>[] types = {InputStream.class};"
                    + " return name(c.getDeclaredConstructor(types).newInstance(in()));"))
        .isEqualTo(UKA_IN);
  }

  @Test
  public void reflectionOnTheNameMakesUkasStreams() throws Exception {
    assertThat(
            rewired(
                "return name(Class.forName(\"java.io.ObjectOutputStream\")"
                    + ".getConstructor(OutputStream.class).newInstance(out));"))
        .isEqualTo(UKA_OUT);
  }

  @Test
  public void methodHandlesMakeUkasStreams() throws Exception {
    assertThat(
            rewired(
                "try { MethodHandle make = MethodHandles.lookup().findConstructor("
                    + "ObjectOutputStream.class,"
                    + " MethodType.methodType(void.class, OutputStream.class));"
                    + " return name((ObjectOutputStream) make.invokeExact(out));"
                    + " } catch (Throwable e) { throw new AssertionError(e); }"))
        .isEqualTo(UKA_OUT);
  }

  @Test
  public void theCallSitesOfGroovysOldCompilersMakeUkasStreams() throws Exception {
    String callSite =
        """
        package org.codehaus.groovy.runtime.callsite;
        public class CallSite {
          public Object callConstructor(Object type, Object argument) throws Exception {
            return ((Class<?>) type).getConstructor(java.io.OutputStream.class).newInstance(argument);
          }
        }
        """;
    String made =
        "new org.codehaus.groovy.runtime.callsite.CallSite()"
            + ".callConstructor(ObjectOutputStream.class, out)";
    assertThat(rewired("return name(" + made + ");", callSite)).isEqualTo(UKA_OUT);
  }

  @Test
  public void whatGroovyLinksAtRunTimeMakesUkasStreams() throws Exception {
    String linker =
        """
        package org.codehaus.groovy.vmplugin.v8;
        import java.lang.invoke.*;
        public class IndyInterface {
          public static CallSite bootstrap(
              MethodHandles.Lookup caller, String name, MethodType type, String method, int flags)
              throws Exception {
            return new ConstantCallSite(
                MethodHandles.lookup().findStatic(IndyInterface.class, "make", type));
          }
          static Object make(Class<?> type, Object argument) throws Exception {
            return type.getConstructor(java.io.OutputStream.class).newInstance(argument);
          }
        }
        """;
    String linkerName = "org/codehaus/groovy/vmplugin/v8/IndyInterface";
    Program program =
        Program.of(
            Map.of(
                linkerName,
                Program.of(linker).classFile(linkerName),
                "Script",
                script(linkerName)));
    assertThat(program.rewired(transformer("")).call("Script", "run"))
        .extracting(stream -> stream.getClass().getName())
        .isEqualTo(UKA_OUT);
  }

  /** {@code new ObjectOutputStream(OutputStream.nullOutputStream())}, as Groovy compiles it. */
  private static byte[] script(String linker) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "Script", null, "java/lang/Object", null);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;
    MethodVisitor code = writer.visitMethod(access, "run", "()Ljava/lang/Object;", null, null);
    code.visitCode();
    code.visitLdcInsn(Type.getObjectType("java/io/ObjectOutputStream"));
    code.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "java/io/OutputStream",
        "nullOutputStream",
        "()Ljava/io/OutputStream;",
        false);
    String bootstrap =
        "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
            + "Ljava/lang/String;I)Ljava/lang/invoke/CallSite;";
    code.visitInvokeDynamicInsn(
        "init",
        "(Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/Object;",
        new Handle(Opcodes.H_INVOKESTATIC, linker, "bootstrap", bootstrap, false),
        "<init>",
        0);
    code.visitInsn(Opcodes.ARETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  @Test
  public void classConstantsThatOnlySayATypeStay() throws Exception {
    assertThat(
            rewired(
                "Class<?> c = ObjectOutputStream.class;"
                    + " Object made = c.getConstructor(OutputStream.class).newInstance(out);"
                    + " return c.getName() + c.isInstance(made)"
                    + " + (made instanceof ObjectOutputStream) + ((ObjectOutputStream) made != null);"))
        .isEqualTo("java.io.ObjectOutputStreamtruetruetrue");
  }

  @Test
  public void reflectionOnOtherClassesStays() throws Exception {
    assertThat(
            rewired(
                "Class<?> c = System.nanoTime() == 0 ? ObjectOutputStream.class :"
                    + " BufferedOutputStream.class;"
                    + " return name(c.getConstructor(OutputStream.class).newInstance(out));"))
        .isEqualTo("java.io.BufferedOutputStream");
  }

  @Test
  public void signaturesStayOnTheTypesOfTheJdk() throws Exception {
    String library =
        """
        import java.io.*;
        public class Library {
          public ObjectOutputStream field;
          public ObjectOutputStream open(OutputStream out) throws IOException {
            return field = new ObjectOutputStream(out);
          }
        }
        """;
    assertThat(
            rewired(
                "return Library.class.getField(\"field\").getType().getName()"
                    + " + Library.class.getMethod(\"open\", OutputStream.class).getReturnType()"
                    + ".getName() + name(new Library().open(out));",
                library))
        .isEqualTo("java.io.ObjectOutputStreamjava.io.ObjectOutputStream" + UKA_OUT);
  }

  @Test
  public void aClassThatMentionsNothingStays() {
    Program program = Program.of("public class Plain { public String x = \"ObjectOutput\"; }");
    Outcome outcome = transformer("").transform(program.classFile("Plain"), program.files());
    assertThat(outcome.isChanged()).isFalse();
    assertThat(outcome.changes()).isEmpty();
  }

  @Test
  public void aClassThatOnlyMentionsTheTypeStays() {
    Program program =
        Program.of(
            "public class Uses { void f(java.io.ObjectOutputStream o) throws Exception {"
                + " o.writeObject(o instanceof java.io.ObjectOutputStream); } }");
    assertThat(transformer("").transform(program.classFile("Uses"), program.files()).isChanged())
        .isFalse();
  }

  @Test
  public void excludedClassesStayAndIncludedOnesDoNot() throws Exception {
    String makes =
        "public static Object run() throws Exception { return new java.io.ObjectOutputStream("
            + "java.io.OutputStream.nullOutputStream()).getClass().getName(); } }";
    Program program =
        Program.of("package a; public class A { " + makes, "package b; public class B { " + makes);
    assertThat(program.rewired(transformer("exclude=a.*")).call("a.A", "run"))
        .isEqualTo("java.io.ObjectOutputStream");
    assertThat(program.rewired(transformer("exclude=a.*")).call("b.B", "run")).isEqualTo(UKA_OUT);
    assertThat(program.rewired(transformer("include=a.*")).call("a.A", "run")).isEqualTo(UKA_OUT);
    assertThat(program.rewired(transformer("include=a.*")).call("b.B", "run"))
        .isEqualTo("java.io.ObjectOutputStream");
  }

  @Test
  public void onlyRmiLeavesStreams() throws Exception {
    Program program =
        Program.of(
            "public class A { public static Object run() throws Exception { return new"
                + " java.io.ObjectOutputStream(java.io.OutputStream.nullOutputStream())"
                + ".getClass().getName(); } }");
    assertThat(program.rewired(transformer("only=rmi")).call("A", "run"))
        .isEqualTo("java.io.ObjectOutputStream");
  }

  @Test
  public void methodsThatHappenToLookLikeUkasAreNotInTheWay() throws Exception {
    String own =
        """
        import java.io.*;
        public class Own extends ObjectOutputStream {
          public Own(OutputStream out) throws IOException { super(out); }
        }
        """;
    String below =
        """
        import java.io.*;
        public class Below extends Own {
          public Below(OutputStream out) throws IOException { super(out); }
          public void writeReference(Object o) { throw new AssertionError(); }
          public void marshalReference(Object o) { throw new AssertionError(); }
          public void resetObjects() { throw new AssertionError(); }
          public static Object buffer() { throw new AssertionError(); }
        }
        """;
    String reads =
        """
        import java.io.*;
        public class Reads extends ObjectInputStream {
          public Reads(InputStream in) throws IOException { super(in); }
          public Object readReference() { throw new AssertionError(); }
          public void register(Object o) { throw new AssertionError(); }
          protected Object cast(Object a, Class<?> b, Class<?> c, String d, Object e) {
            throw new AssertionError();
          }
        }
        """;
    String value =
        "public class Value implements java.io.Serializable { int x = 7; Object y = \"y\"; }";
    String body =
        """
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Below below = new Below(bytes)) { below.writeObject(new Value()); }
        Reads in = new Reads(new ByteArrayInputStream(bytes.toByteArray()));
        Value read = (Value) in.readObject();
        return superName(in) + read.x + read.y;
        """;
    assertThat(rewired("", body, own, below, reads, value)).isEqualTo(UKA_IN + "7y");
    assertThat(rewired("weave", body, own, below, reads, value)).isEqualTo(UKA_IN + "7y");
  }

  private static final String SERIALIZED_MAKER =
      """
      import java.io.*;
      public class Main {
        interface Maker extends Serializable { ObjectOutputStream make(OutputStream out) throws Exception; }
        public static byte[] given;
        public static byte[] bytes() throws Exception {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (OutputStream out = bytes; ObjectOutputStream objects = objects(out)) {
            objects.writeObject((Maker) ObjectOutputStream::new);
          }
          return bytes.toByteArray();
        }
        static ObjectOutputStream objects(OutputStream out) throws Exception {
          return Util.jdk(out);
        }
        public static String run() throws Exception {
          Maker maker = (Maker) new ObjectInputStream(new ByteArrayInputStream(given)).readObject();
          return maker.make(OutputStream.nullOutputStream()).getClass().getName();
        }
      }
      """;

  private static final String JDK_STREAM =
      """
      import java.io.*;
      class Util {
        static ObjectOutputStream jdk(OutputStream out) throws IOException { return new ObjectOutputStream(out); }
      }
      """;

  private static Object readMaker(Program program, byte[] bytes) throws Exception {
    Class<?> main = program.load("Main");
    main.getField("given").set(null, bytes);
    return main.getMethod("run").invoke(null);
  }

  @Test
  public void aSerializedConstructorReferenceIsReadAgain() throws Exception {
    Program stock = Program.of(SERIALIZED_MAKER, JDK_STREAM);
    Program onUka = stock.rewired(transformer(""));
    Program onJdk = stock.rewired(transformer("exclude=Util"));
    for (Program writer : List.of(onUka, onJdk, stock)) {
      byte[] bytes = (byte[]) writer.call("Main", "bytes");
      assertThat(readMaker(onUka, bytes)).isEqualTo(UKA_OUT);
    }
    assertThat(readMaker(stock, (byte[]) stock.call("Main", "bytes")))
        .isEqualTo("java.io.ObjectOutputStream");
  }
}
