package io.karmi.retrofit.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code karmi-retrofit --boot}: what {@code java @java.args} runs on. */
public class BootPatchTest {
  @ClassRule public static final TemporaryFolder SHARED = new TemporaryFolder();

  private static Path karmi;
  private static Path streams;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @BeforeClass
  public static void patch() throws Exception {
    karmi = Jars.karmi(SHARED.getRoot().toPath());
    streams = SHARED.getRoot().toPath().resolve("a directory");
    Jvm.Result made = patch(streams, "--only=serialization");
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.err()).isEmpty();
  }

  private static Jvm.Result patch(Path directory, String... options) throws Exception {
    Object[] all = new Object[options.length + 5];
    all[0] = "-cp";
    all[1] = karmi;
    all[2] = "io.karmi.retrofit.cli.KarmiRetrofit";
    all[3] = "--boot";
    all[4] = directory;
    System.arraycopy(options, 0, all, 5, options.length);
    return Jvm.java(all);
  }

  private Path compile(String... units) {
    return Sources.compile(folder.getRoot().toPath().resolve("classes"), List.of(), units);
  }

  private static final String MARSHALLED =
      """
      package app;
      import java.rmi.MarshalledObject;
      public class Main {
        public static void main(String[] args) throws Exception {
          MarshalledObject<String> same = new MarshalledObject<>("x");
          System.out.println(new MarshalledObject<>("x").get() + same.equals(new
              MarshalledObject<>("x")) + same.equals(new MarshalledObject<>("y")));
          Class<?> stream = Class.forName("sun.rmi.server.MarshalOutputStream");
          System.out.println(stream.getSuperclass().getName());
        }
      }
      """;

  @Test
  public void stockRmiRunsOnUkaSilently() throws Exception {
    Path classes = compile(MARSHALLED);
    Jvm.Result result = Jvm.java("@" + streams.resolve("java.args"), "-cp", classes, "app.Main");
    assertThat(result)
        .isEqualTo(new Jvm.Result(0, "xtruefalse\nio.karmi.uka.RewiredObjectOutputStream\n", ""));
  }

  @Test
  public void streamsOfStockRmiStayTheJdksBesideKarmi() throws Exception {
    Path all = folder.getRoot().toPath().resolve("all");
    assertThat(patch(all).exit()).isZero();
    Jvm.Result result =
        Jvm.java("@" + all.resolve("java.args"), "-cp", compile(MARSHALLED), "app.Main");
    assertThat(result).isEqualTo(new Jvm.Result(0, "xtruefalse\njava.io.ObjectOutputStream\n", ""));
  }

  @Test
  public void rmiAloneMarshalsInTheJdksFormat() throws Exception {
    Path rmi = folder.getRoot().toPath().resolve("rmi");
    assertThat(patch(rmi, "--only=rmi").exit()).isZero();
    assertThat(rmi.resolve("java.args")).content().contains("-Dkarmi.format=jdk");
    assertThat(streams.resolve("java.args")).content().doesNotContain("karmi.format");
  }

  @Test
  public void aModularProgramWithoutRmiStartsSilently() throws Exception {
    Path module =
        compile(
            "module app { }",
            "package app; public class Main { public static void main(String[] args) {"
                + " System.out.println(\"started\"); } }");
    Jvm.Result result =
        Jvm.java("@" + streams.resolve("java.args"), "-p", module, "-m", "app/app.Main");
    assertThat(result).isEqualTo(new Jvm.Result(0, "started\n", ""));
  }

  @Test
  public void anotherJdkGetsAClearError() throws Exception {
    Path classes = compile(MARSHALLED);
    Path wrong = folder.getRoot().toPath().resolve("wrong");
    /* The same length, so that only the version in the patch differs. */
    String version = PatchedJdk.thisJdk();
    String other = version.substring(0, version.length() - 1) + "?";
    Files.createDirectories(wrong);
    for (String name : List.of("karmi.jar", "java.base.jar", "java.rmi.jar", "java.args")) {
      Files.copy(streams.resolve(name), wrong.resolve(name));
    }
    Path patched =
        OtherJdk.patch(
            streams.resolve("java.rmi.jar"), wrong.resolve("java.rmi.jar"), version, other);
    String arguments =
        Files.readString(wrong.resolve("java.args"))
            .replace(streams.toRealPath().toString(), wrong.toRealPath().toString());
    Files.writeString(wrong.resolve("java.args"), arguments, StandardCharsets.UTF_8);
    Jvm.Result result = Jvm.java("@" + wrong.resolve("java.args"), "-cp", classes, "app.Main");
    assertThat(patched).exists();
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err())
        .contains("the boot path patch was made from JDK " + other)
        .contains("but this is JDK " + version)
        .contains("run karmi-retrofit --boot with this JDK");
  }

  @Test
  public void theSameJdkGivesTheSameBytes() throws Exception {
    Path again = folder.getRoot().toPath().resolve("again");
    patch(again, "--only=serialization");
    assertThat(Files.readAllBytes(again.resolve("java.rmi.jar")))
        .isEqualTo(Files.readAllBytes(streams.resolve("java.rmi.jar")));
  }

  @Test
  public void anOtherModuleOfTheJdkIsRewiredWhereAsked() throws Exception {
    Path directory = folder.getRoot().toPath().resolve("base");
    Jvm.Result made = patch(directory, "--only=serialization", "--module", "java.base", "--report");
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.out()).contains("java.base/javax.crypto.SealedObject: new java.io.Object");
    Path classes =
        compile(
            """
            package app;
            import javax.crypto.*;
            import javax.crypto.spec.SecretKeySpec;
            public class Main {
              public static void main(String[] args) throws Exception {
                SecretKeySpec key = new SecretKeySpec(new byte[16], "AES");
                Cipher cipher = Cipher.getInstance("AES");
                cipher.init(Cipher.ENCRYPT_MODE, key);
                System.out.println(new SealedObject("sealed", cipher).getObject(key));
              }
            }
            """);
    Jvm.Result result = Jvm.java("@" + directory.resolve("java.args"), "-cp", classes, "app.Main");
    assertThat(result).isEqualTo(new Jvm.Result(0, "sealed\n", ""));
  }

  @Test
  public void aModuleThatIsNotThereIsOneLine() throws Exception {
    Jvm.Result made = patch(folder.getRoot().toPath().resolve("x"), "--module", "java.none");
    assertThat(made.exit()).isEqualTo(1);
    assertThat(made.err().strip()).isEqualTo("karmi-retrofit: this JDK has no module java.none");
  }

  /** What this class, on the class path, sees of all packages of the JDK, and can reach. */
  private static final String REACHING =
      """
      package app;
      import java.lang.reflect.*;
      import java.util.*;
      public class Main {
        public static void main(String[] args) throws Exception {
          if (args.length > 0) {
            Class<?> out = Class.forName("io.karmi.uka.RewiredObjectOutputStream");
            out.getMethod("writeObject", Object.class).invoke(
                out.getConstructor(java.io.OutputStream.class)
                    .newInstance(java.io.OutputStream.nullOutputStream()),
                new java.rmi.RemoteException());
            new java.rmi.MarshalledObject<>(new StringBuilder("x")).get();
            java.rmi.server.UnicastRemoteObject.exportObject(new java.rmi.Remote() { }, 0);
          }
          Module own = Main.class.getModule();
          SortedSet<String> seen = new TreeSet<>();
          for (Module module : ModuleLayer.boot().modules()) {
            for (String name : module.getPackages()) {
              if (module.isOpen(name, own)) seen.add("open " + module + "/" + name);
              if (module.isExported(name, own)) seen.add("exported " + module + "/" + name);
              if (module.isOpen(name)) seen.add("open to all " + module + "/" + name);
            }
          }
          seen.forEach(System.out::println);
          reach("jdk.internal.misc.Unsafe", "getUnsafe");
          reach("java.io.ObjectStreamClass", "newInstance");
          reach("java.lang.String", "coder");
          reach("java.lang.ClassLoader", "findLoadedClass", String.class);
          reach("java.util.ArrayList", "elementData", int.class);
          reach("jdk.internal.reflect.ReflectionFactory", "getReflectionFactory");
          reach("java.rmi.server.RemoteObject", "writeObject", java.io.ObjectOutputStream.class);
          reach("sun.rmi.server.Util", "computeMethodHash", Method.class);
          System.exit(0);
        }
        static void reach(String type, String name, Class<?>... parameters) throws Exception {
          Method method = Class.forName(type).getDeclaredMethod(name, parameters);
          try {
            method.setAccessible(true);
            System.out.println(method + " is open");
          } catch (InaccessibleObjectException e) {
            System.out.println(e.getMessage());
          }
        }
      }
      """;

  @Test
  public void theProgramMayReachWhatItReachesOnTheStockJdkAndNoMore() throws Exception {
    Path all = folder.getRoot().toPath().resolve("all");
    assertThat(patch(all).exit()).isZero();
    Path classes = compile(REACHING);
    /* The argument files name java.rmi, which a program on the class path sees anyway. */
    Jvm.Result stock = Jvm.java("--add-modules=java.rmi", "-cp", classes, "app.Main");
    assertThat(stock.out()).contains("exported module java.base/java.lang").contains("does not");
    for (Path patched : List.of(streams, all)) {
      Jvm.Result result =
          Jvm.java("@" + patched.resolve("java.args"), "-cp", classes, "app.Main", "use KaRMI");
      assertThat(result.err()).isEmpty();
      assertThat(result.out().replaceAll("@\\w+", "@"))
          .isEqualTo(stock.out().replaceAll("@\\w+", "@"));
    }
  }

  @Test
  public void karmiReachesPrivateFieldsAsBehindTheAgent() throws Exception {
    Path classes =
        compile(
            """
            package app;
            public class Main implements java.io.Serializable {
              private final String name = "x";
              private int number = 1;
              public static void main(String[] args) throws Exception {
                Class<?> out = Class.forName("io.karmi.uka.RewiredObjectOutputStream");
                out.getMethod("writeObject", Object.class).invoke(
                    out.getConstructor(java.io.OutputStream.class)
                        .newInstance(java.io.OutputStream.nullOutputStream()),
                    new Main());
              }
            }
            """);
    String rung = "-Duka.access=internal-unsafe";
    String trace = "-Duka.trace=access";
    Jvm.Result agent = Jvm.java("-javaagent:" + karmi, rung, trace, "-cp", classes, "app.Main");
    Jvm.Result boot =
        Jvm.java("@" + streams.resolve("java.args"), rung, trace, "-cp", classes, "app.Main");
    assertThat(agent.err()).contains("uka access: app.Main: internal-unsafe");
    assertThat(boot).isEqualTo(agent);
  }

  @Test
  public void anApplicationsModuleInAnImageIsRewiredByThatImagesPatch() throws Exception {
    Path classes =
        compile(
            "module app {}",
            """
            package app;
            import java.io.*;
            public class Main implements Serializable {
              public static void main(String[] args) throws Exception {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                ObjectOutputStream out = new ObjectOutputStream(bytes);
                out.writeObject(new Main());
                out.close();
                System.out.println(out.getClass().getName() + new ObjectInputStream(
                    new ByteArrayInputStream(bytes.toByteArray())).readObject().getClass());
              }
            }
            """);
    Path image = folder.getRoot().toPath().resolve("image");
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said, true);
    int linked =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                to,
                to,
                "--module-path",
                classes.toString(),
                "--add-modules",
                "app,java.rmi,jdk.unsupported",
                "--output",
                image.toString());
    assumeTrue("this JDK makes images: " + said, linked == 0);
    Jvm.Result version = Jvm.javaOf(image, "-version");
    assumeTrue("its images start on this system: " + version.err(), version.exit() == 0);
    Path patch = folder.getRoot().toPath().resolve("patch");
    Jvm.Result made =
        Jvm.javaOf(
            image,
            "-cp",
            karmi,
            "io.karmi.retrofit.cli.KarmiRetrofit",
            "--boot",
            patch,
            "--module",
            "app");
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(Jvm.javaOf(image, "@" + patch.resolve("java.args"), "-m", "app/app.Main"))
        .isEqualTo(new Jvm.Result(0, "io.karmi.uka.RewiredObjectOutputStreamclass app.Main\n", ""));
  }
}
