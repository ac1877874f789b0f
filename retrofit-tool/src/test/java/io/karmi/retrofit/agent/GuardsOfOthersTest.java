package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Other agents hook methods of {@code java.io.ObjectInputStream}, as guards against hostile classes
 * do. They are asked as on stock, whichever agent comes first, and when one is attached later.
 */
public class GuardsOfOthersTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  /** Hooks by ByteBuddy; their code may refer to the JDK only, into which it is copied. */
  private static final String HOOKS =
      """
      package guard;
      import java.io.*;
      import java.lang.instrument.Instrumentation;
      import net.bytebuddy.agent.builder.AgentBuilder;
      import net.bytebuddy.asm.Advice;
      import net.bytebuddy.matcher.ElementMatchers;
      public class Hooks {
        public static class Class_ {
          @Advice.OnMethodEnter static void enter(@Advice.Argument(0) ObjectStreamClass type) {
            System.setProperty("guard.classes", System.getProperty("guard.classes", "")
                .concat(type.getName()).concat(" "));
            if (type.getName().endsWith("Bad")) {
              throw new UnsupportedOperationException("guard: ".concat(type.getName()));
            }
          }
        }
        public static class Proxy_ {
          @Advice.OnMethodEnter static void enter(@Advice.Argument(0) String[] names) {
            if (names.length == 0 || names[0].endsWith("BadFace")) {
              throw new UnsupportedOperationException("guard: a proxy");
            }
          }
        }
        public static class Read {
          @Advice.OnMethodEnter static void enter() {
            System.setProperty("guard.reads", " by readObject");
          }
        }
        public static void premain(String how, Instrumentation instrumentation) {
          install(instrumentation, how != null);
        }
        public static void install(Instrumentation instrumentation, boolean retransform) {
          AgentBuilder builder = new AgentBuilder.Default().disableClassFormatChanges()
              .ignore(ElementMatchers.none());
          if (retransform) {
            builder = builder.with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
          }
          builder.type(ElementMatchers.named("java.io.ObjectInputStream"))
              .transform((hooked, type, loader, module, domain) -> hooked
                  .visit(Advice.to(Class_.class).on(ElementMatchers.named("resolveClass")))
                  .visit(Advice.to(Proxy_.class).on(ElementMatchers.named("resolveProxyClass")))
                  .visit(Advice.to(Read.class).on(ElementMatchers.named("readObject")
                      .and(ElementMatchers.takesNoArguments()))))
              .installOn(instrumentation);
        }
      }
      """;

  private static final String PROGRAM =
      """
      package app;
      import java.io.*;
      import java.lang.reflect.Proxy;
      import java.util.*;
      import net.bytebuddy.agent.ByteBuddyAgent;
      public class Main {
        static class Above implements Serializable { int above = 1; }
        static class Good extends Above { Object next; List<Object> more = new ArrayList<>(); }
        static class Bad implements Serializable {}
        interface BadFace {}
        interface GoodFace {}
        static class Nothing implements java.lang.reflect.InvocationHandler, Serializable {
          public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return null;
          }
        }
        static Object proxy(Class<?> type) {
          return Proxy.newProxyInstance(
              Main.class.getClassLoader(), new Class<?>[] {type}, new Nothing());
        }
        static String copied(Object value) throws Exception {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ObjectOutputStream(bytes)) { out.writeObject(value); }
          System.setProperty("guard.classes", "");
          System.setProperty("guard.reads", "");
          try (ObjectInputStream in =
              new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Object read = in.readObject();
            return "read " + (Proxy.isProxyClass(read.getClass()) ? "a proxy" : read.getClass());
          } catch (UnsupportedOperationException e) {
            return e.getMessage();
          }
        }
        static void copyAll() throws Exception {
          Good good = new Good();
          good.next = new Good();
          good.more.add(new Date(0));
          for (int i = 0; i < 3; i++) {
            System.out.println(copied(good) + " " + asked());
            System.out.println(copied(new Bad()) + " " + asked());
            System.out.println(copied(new Object[] {1, new Bad[1]}) + " " + asked());
            good.next = new Object[] {new Bad()};
            System.out.println(copied(good) + " " + asked());
            good.next = null;
            System.out.println(copied(proxy(GoodFace.class)));
            System.out.println(copied(proxy(BadFace.class)));
          }
        }
        static String asked() {
          return new TreeSet<>(List.of(System.getProperty("guard.classes").split(" ")))
              + System.getProperty("guard.reads");
        }
        public static void main(String[] args) throws Exception {
          if (args[0].equals("later")) {
            for (int i = 0; i < 100; i++) { copied(List.of(new Good(), new Bad())); }
            copyAll();
          }
          if (!args[0].equals("agent")) {
            guard.Hooks.install(ByteBuddyAgent.install(), true);
          }
          copyAll();
        }
      }
      """;

  /** Starts the program in a loader of its own, as servers do. */
  private static final String SERVER =
      """
      package server;
      import java.io.File;
      import java.net.*;
      public class Main {
        public static void main(String[] args) throws Exception {
          URL[] classes = {new File(args[1]).toURI().toURL()};
          new URLClassLoader(classes, Main.class.getClassLoader())
              .loadClass("app.Main")
              .getMethod("main", String[].class)
              .invoke(null, (Object) args);
        }
      }
      """;

  private static Path karmi;
  private static Path guard;
  private static Path byteBuddy;
  private static String classPath;

  @BeforeClass
  public static void build() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    karmi = Jars.karmi(root);
    List<String> libraries = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (each.matches(".*byte-buddy-.*\\.jar")) {
        libraries.add(each);
        byteBuddy = each.contains("byte-buddy-agent") ? Path.of(each) : byteBuddy;
      }
    }
    String path = String.join(File.pathSeparator, libraries);
    Path hooks = Sources.compile(root.resolve("hooks"), List.of("-cp", path), HOOKS);
    Path classes = root.resolve("classes");
    Sources.compile(classes, List.of("-cp", path + File.pathSeparator + hooks), PROGRAM);
    guard =
        Jars.of(
            root.resolve("guard.jar"),
            Jars.manifest(
                "Premain-Class", "guard.Hooks",
                "Can-Retransform-Classes", "true",
                "Class-Path", ""),
            hooks);
    classPath = String.join(File.pathSeparator, path, guard.toString(), classes.toString());
  }

  private static void retrofit(Object... arguments) throws Exception {
    List<Object> command =
        new ArrayList<>(List.of("-cp", karmi, "io.karmi.retrofit.cli.KarmiRetrofit"));
    command.addAll(List.of(arguments));
    Jvm.Result made = Jvm.java(command.toArray());
    assertThat(made.exit()).as(made.err()).isZero();
  }

  /** The folder with the program rewritten. */
  private static Path rewritten() throws Exception {
    Path rewritten = FOLDER.getRoot().toPath().resolve("rewritten");
    if (!Files.exists(rewritten)) {
      retrofit(FOLDER.getRoot().toPath().resolve("classes"), "-o", rewritten);
    }
    assertThat(Files.exists(rewritten.resolve("app/Main.class"))).isTrue();
    return rewritten;
  }

  private static List<String> run(List<String> options, String how) throws Exception {
    List<Object> command = new ArrayList<>(options);
    command.addAll(
        List.of(
            "-Djdk.attach.allowAttachSelf=true",
            "-Dnet.bytebuddy.experimental=true", // for class files newer than it knows
            "-cp",
            classPath,
            "app.Main",
            how));
    Jvm.Result result = Jvm.java(command.toArray());
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().lines().toList();
  }

  private static void isAskedAsOnStock(String how, String... others) throws Exception {
    List<String> stock = run(List.of(others), how);
    assertThat(stock)
        .contains("guard: app.Main$Bad [app.Main$Bad] by readObject", "guard: a proxy");
    for (String format : List.of("uka", "jdk")) {
      for (boolean first : new boolean[] {true, false}) {
        List<String> options = new ArrayList<>(List.of(others));
        options.add(first ? 0 : options.size(), "-javaagent:" + karmi);
        options.add("-Duka.format=" + format);
        List<String> seen = run(options, how);
        assertThat(seen).as(options.toString()).isEqualTo(stock);
        if (others.length == 0) {
          break;
        }
      }
    }
  }

  @Test
  public void aGuardThatTheProgramInstallsIsAsked() throws Exception {
    isAskedAsOnStock("program", "-javaagent:" + byteBuddy);
  }

  @Test
  public void anAgentThatRetransformsIsAsked() throws Exception {
    isAskedAsOnStock("agent", "-javaagent:" + guard + "=retransform");
  }

  @Test
  public void anAgentThatChangesClassesOnlyAsTheyAreLoadedIsAsked() throws Exception {
    isAskedAsOnStock("agent", "-javaagent:" + guard);
  }

  @Test
  public void anAgentThatIsAttachedLaterIsAsked() throws Exception {
    isAskedAsOnStock("later");
  }

  @Test
  public void onTheBootPathAGuardIsAskedToo() throws Exception {
    Path boot = FOLDER.getRoot().toPath().resolve("boot");
    retrofit("--boot", boot);
    Path rewritten = rewritten();
    String agent = "-javaagent:" + guard;
    List<String> stock = run(List.of(agent), "agent");
    List<String> stockLater = run(List.of(), "later");
    String before = classPath;
    try {
      classPath = rewritten + File.pathSeparator + before;
      String arguments = "@" + boot.resolve("java.args");
      assertThat(run(List.of(arguments, agent), "agent")).isEqualTo(stock);
      assertThat(run(List.of(arguments), "later")).isEqualTo(stockLater);
    } finally {
      classPath = before;
    }
  }

  @Test
  public void whereAGuardIsAskedClassesOfLoadersOfTheirOwnAreFound() throws Exception {
    Path server = Sources.compile(FOLDER.getRoot().toPath().resolve("server"), List.of(), SERVER);
    String path =
        classPath.substring(0, classPath.lastIndexOf(File.pathSeparator))
            + File.pathSeparator
            + karmi
            + File.pathSeparator
            + server;
    Jvm.Result result =
        Jvm.java(
            "-Djdk.attach.allowAttachSelf=true",
            "-Dnet.bytebuddy.experimental=true",
            "-cp",
            path,
            "server.Main",
            "later",
            rewritten() + File.separator);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out()).contains("read class app.Main$Good").contains("read a proxy");
  }
}
