package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Every way to come by a stream, on every delivery: what arrives is equal, and who made it. */
public class StreamDeliveriesTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String PROGRAM =
      """
      package app;
      import java.io.*;
      import java.lang.invoke.*;
      import java.rmi.MarshalledObject;
      import java.util.*;
      public class Main {
        interface Maker { ObjectOutputStream make(OutputStream out) throws Exception; }
        interface Opener { ObjectInputStream open(InputStream in) throws Exception; }
        static class Mine extends ObjectOutputStream {
          Mine(OutputStream out) throws IOException { super(out); }
          void writeReference(Object other) { throw new AssertionError(); }
        }
        static class Below extends Mine {
          Below(OutputStream out) throws IOException { super(out); }
          public void resetObjects() { throw new AssertionError(); }
        }
        static class Value implements Serializable {
          final int x; final Object self = this;
          Value(int x) { this.x = x; }
        }
        static Maker byReflection() {
          return out -> ObjectOutputStream.class.getConstructor(OutputStream.class).newInstance(out);
        }
        static Maker byName() {
          return out -> (ObjectOutputStream) Class.forName("java.io.ObjectOutputStream")
              .getDeclaredConstructor(OutputStream.class).newInstance(out);
        }
        static Maker byHandle() throws Exception {
          MethodHandle make = MethodHandles.lookup().findConstructor(ObjectOutputStream.class,
              MethodType.methodType(void.class, OutputStream.class));
          return out -> {
            try { return (ObjectOutputStream) make.invokeExact(out); }
            catch (Throwable e) { throw new AssertionError(e); }
          };
        }
        static boolean isUka(Class<?> type) {
          while (type != null && !type.getName().startsWith("io.karmi.uka.")) type = type.getSuperclass();
          return type != null;
        }
        public static void main(String[] args) throws Exception {
          Map<String, Maker> makers = new TreeMap<>();
          makers.put("new", out -> new ObjectOutputStream(out));
          makers.put("subclass", Below::new);
          makers.put("anonymous", out -> new ObjectOutputStream(out) { });
          makers.put("constructor reference", ObjectOutputStream::new);
          makers.put("reflection", byReflection());
          makers.put("reflection by name", byName());
          makers.put("method handle", byHandle());
          Opener opener = ObjectInputStream::new;
          Set<Boolean> uka = new TreeSet<>();
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          for (String name : makers.keySet()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = makers.get(name).make(bytes)) {
              out.writeObject(new Value(name.length()));
              uka.add(isUka(out.getClass()));
            }
            all.write(bytes.toByteArray());
            ObjectInputStream in = opener.open(new ByteArrayInputStream(bytes.toByteArray()));
            uka.add(isUka(in.getClass()));
            Value read = (Value) in.readObject();
            System.out.println(name + ": " + read.x + (read.self == read));
          }
          MarshalledObject<Value> marshalled = new MarshalledObject<>(new Value(3));
          System.out.println("marshalled: " + marshalled.get().x
              + marshalled.equals(new MarshalledObject<>(new Value(3)))
              + marshalled.equals(new MarshalledObject<>(new Value(4))));
          System.err.println(uka + " " + isUka(Class.forName("sun.rmi.server.MarshalOutputStream"))
              + " " + Base64.getEncoder().encodeToString(all.toByteArray()));
        }
      }
      """;

  private static Path root;
  private static Path karmi;
  private static Path classes;
  private static String stock;
  private static String stockBytes;

  @BeforeClass
  public static void runOnTheJdkAlone() throws Exception {
    root = FOLDER.getRoot().toPath();
    karmi = Jars.karmi(root);
    classes = Sources.compile(root.resolve("classes"), List.of(), PROGRAM);
    Jvm.Result result = Jvm.java("-cp", classes, "app.Main");
    assertThat(result.err()).startsWith("[false] false rO0AB");
    stockBytes = result.err().substring("[false] false ".length());
    assertThat(result.out()).hasLineCount(8).doesNotContain("falsetrue");
    stock = result.out();
  }

  private static void karmiRetrofit(Object... arguments) throws Exception {
    List<Object> all =
        new ArrayList<>(List.of("-cp", karmi, "io.karmi.retrofit.cli.KarmiRetrofit"));
    all.addAll(List.of(arguments));
    Jvm.Result result = Jvm.java(all.toArray());
    assertThat(result.exit()).as(result.err()).isZero();
  }

  /**
   * The output is stock's, and so are the bytes.
   *
   * @param streams whether the program's streams are UKA's, and whether stock RMI's are
   */
  private static void same(String streams, Object... arguments) throws Exception {
    assertThat(Jvm.java(arguments)).isEqualTo(new Jvm.Result(0, stock, streams + " " + stockBytes));
  }

  /** As {@link #same}, but the bytes are in UKA's format. */
  private static void inUkasFormat(String streams, Object... arguments) throws Exception {
    Jvm.Result result = Jvm.java(arguments);
    assertThat(result.out()).as(result.err()).isEqualTo(stock);
    String header = Base64.getEncoder().encodeToString(new byte[] {'U', 'K', 'A'});
    assertThat(result.err()).startsWith(streams + " " + header);
  }

  @Test
  public void agent() throws Exception {
    same("[true] false", "-javaagent:" + karmi, "-cp", classes, "app.Main");
    same("[true] false", "-javaagent:" + karmi + "=weave", "-cp", classes, "app.Main");
    same("[true] true", "-javaagent:" + karmi + "=only=serialization", "-cp", classes, "app.Main");
    same("[false] false", "-javaagent:" + karmi + "=only=rmi", "-cp", classes, "app.Main");
    String uka = "-Duka.format=uka";
    inUkasFormat("[true] false", uka, "-javaagent:" + karmi, "-cp", classes, "app.Main");
    String streams = "=only=serialization,weave";
    inUkasFormat("[true] true", uka, "-javaagent:" + karmi + streams, "-cp", classes, "app.Main");
  }

  @Test
  public void bootPath() throws Exception {
    Path boot = root.resolve("boot");
    karmiRetrofit("--boot", boot);
    same("[false] false", "@" + boot.resolve("java.args"), "-cp", classes, "app.Main");
    Path streams = root.resolve("streams");
    karmiRetrofit("--boot", streams, "--only=serialization");
    same("[false] true", "@" + streams.resolve("java.args"), "-cp", classes, "app.Main");
  }

  @Test
  public void rewritten() throws Exception {
    for (String option : List.of("--no-weave", "--weave")) {
      Path out = root.resolve("out" + option);
      karmiRetrofit(option, classes, "-o", out);
      String path = out + File.pathSeparator + karmi;
      same("[true] false", "-cp", path, "app.Main");
      inUkasFormat("[true] false", "-Duka.format=uka", "-cp", path, "app.Main");
    }
  }
}
