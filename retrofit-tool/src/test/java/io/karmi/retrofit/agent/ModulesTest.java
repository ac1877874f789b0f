package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.cli.KarmiRetrofit;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import io.karmi.stub.StubTypes;
import java.io.File;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Remote interfaces of a module that lets java.rmi at them, and no other module. */
public class ModulesTest {
  private static final String MODULE =
      """
      module app {
        requires java.rmi;
        requires java.management;
        exports app.exported to java.rmi;
        opens app to java.rmi;
      }
      """;

  private static final String EXPORTED =
      """
      package app.exported;
      import java.rmi.*;
      public interface Shop extends Remote {
        record Item(String name, int[] sizes) implements java.io.Serializable {}
        class SoldOut extends Exception {
          public SoldOut(String what) { super(what); }
        }
        Item buy(Item wanted, int many) throws RemoteException, SoldOut;
        default Item buyOne(Item wanted) throws RemoteException, SoldOut { return buy(wanted, 1); }
      }
      """;

  private static final String CLOSED =
      """
      package app.closed;
      import java.rmi.*;
      public interface Closed extends Remote { int call() throws RemoteException; }
      """;

  private static final String PROGRAM =
      """
      package app;
      import app.closed.Closed;
      import app.exported.Shop;
      import java.rmi.*;
      import java.rmi.registry.*;
      import java.rmi.server.*;
      import java.util.*;
      public class Main {
        interface Local extends Remote { long twice(long number) throws RemoteException; }
        static class ShopObject implements Shop, Local {
          public Item buy(Item wanted, int many) throws SoldOut {
            if (many > 1) throw new SoldOut(wanted.name());
            return new Item(wanted.name() + many, wanted.sizes());
          }
          public long twice(long number) { return 2 * number; }
        }
        static ShopObject object;
        public static void main(String[] args) throws Exception {
          if (args.length == 1) {
            use((Remote) LocateRegistry.getRegistry(Integer.parseInt(args[0])).lookup("shop"));
            return;
          }
          object = new ShopObject();
          int port;
          try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            port = free.getLocalPort();
          }
          Registry registry = LocateRegistry.createRegistry(port);
          Remote stub = UnicastRemoteObject.exportObject(object, 0);
          registry.bind("shop", stub);
          use(stub);
          Closed closed = () -> 1;
          try {
            ((Closed) UnicastRemoteObject.exportObject(closed, 0)).call();
          } catch (RuntimeException e) {
            System.out.println("closed: " + e.getClass().getName());
          }
          List<String> command = new ArrayList<>();
          command.add(ProcessHandle.current().info().command().get());
          command.add("-XX:-UsePerfData");
          command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean()
              .getInputArguments());
          command.addAll(List.of("-m", "app/app.Main", String.valueOf(port)));
          new ProcessBuilder(command).inheritIO().start().waitFor();
          System.exit(0); // stock RMI goes on listening after an export that has failed
        }
        static void use(Remote stub) throws Exception {
          Shop.Item item = ((Shop) stub).buyOne(new Shop.Item("shoe", new int[] {41, 42}));
          System.out.println(item.name() + Arrays.toString(item.sizes()));
          try {
            ((Shop) stub).buy(item, 2);
          } catch (Shop.SoldOut e) {
            System.out.println(e.getMessage() + " is sold out");
          }
          System.out.println(((Local) stub).twice(21));
        }
      }
      """;

  private static final String GREETER =
      "package app; public interface Greeter extends java.rmi.Remote {"
          + " String greet(String name, int[] numbers) throws java.rmi.RemoteException; }";

  private static final String GREETER_OBJECT =
      "package app; public class GreeterObject implements Greeter {"
          + " public String greet(String name, int[] numbers) { return \"hello \" + name; } }";

  private static final String GREETING =
      """
      package program;
      import app.Greeter;
      import java.rmi.registry.*;
      import java.rmi.server.*;
      import java.util.*;
      public class Main {
        static app.GreeterObject object;
        public static void main(String[] args) throws Exception {
          if (args.length == 1) {
            use(LocateRegistry.getRegistry(Integer.parseInt(args[0])).lookup("greeter"));
            return;
          }
          object = new app.GreeterObject();
          int port;
          try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            port = free.getLocalPort();
          }
          Registry registry = LocateRegistry.createRegistry(port);
          registry.bind("greeter", UnicastRemoteObject.exportObject(object, 0));
          use(registry.lookup("greeter"));
          List<String> command = new ArrayList<>();
          command.add(ProcessHandle.current().info().command().get());
          command.add("-XX:-UsePerfData");
          command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean()
              .getInputArguments());
          command.addAll(List.of("-m", "program/program.Main", String.valueOf(port)));
          new ProcessBuilder(command).inheritIO().start().waitFor();
          System.exit(0);
        }
        static void use(java.rmi.Remote stub) throws Exception {
          System.out.println(((Greeter) stub).greet("you", new int[3]));
        }
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void whatIsOpenToJavaRmiIsOpenToKarmi() throws Exception {
    Path root = folder.getRoot().toPath();
    Path module =
        Sources.compile(root.resolve("module"), List.of(), MODULE, EXPORTED, CLOSED, PROGRAM);
    Jvm.Result stock = Jvm.java("-p", module, "-m", "app/app.Main");
    assertThat(stock.out())
        .as(stock.err())
        .contains("shoe1[41, 42]", "shoe1 is sold out", "42", "closed: java.lang.reflect");
    Jvm.Result ours =
        Jvm.java("-javaagent:" + Jars.karmi(root), "-p", module, "-m", "app/app.Main");
    assertThat(ours.out()).as(ours.err()).isEqualTo(stock.out());
    assertThat(ours.err()).isEmpty();
  }

  @Test
  public void whatARewrittenModuleOpensToJavaRmiItOpensToKarmi() throws Exception {
    Path root = folder.getRoot().toPath();
    Path module =
        Sources.compile(root.resolve("module"), List.of(), MODULE, EXPORTED, CLOSED, PROGRAM);
    Jvm.Result stock = Jvm.java("-p", module, "-m", "app/app.Main");
    assertThat(stock.out()).as(stock.err()).contains("shoe1[41, 42]", "shoe1 is sold out", "42");
    Path jar = Jars.of(root.resolve("app.jar"), Jars.manifest(), module);
    for (Path each : List.of(jar, module)) { // a jar and a folder
      Path rewritten = rewritten(each);
      String path = rewritten + File.pathSeparator + Jars.karmi(root);
      Jvm.Result ours = Jvm.java("-p", path, "-m", "app/app.Main");
      assertThat(ours.out()).as(ours.err()).isEqualTo(stock.out());
    }
  }

  @Test
  public void soDoesAModuleInWhichNothingIsRewired() throws Exception {
    Path root = folder.getRoot().toPath();
    Path modules = root.resolve("modules");
    String descriptor =
        "module app { requires transitive java.rmi; exports app to java.rmi, program; }";
    Sources.compile(modules.resolve("app"), List.of(), descriptor, GREETER, GREETER_OBJECT);
    Sources.compile(
        modules.resolve("program"),
        List.of("-p", modules.toString()),
        "module program { requires app; requires java.management; }",
        GREETING);
    for (boolean jars : List.of(true, false)) {
      List<String> path = new ArrayList<>(List.of(Jars.karmi(root).toString()));
      for (String name : List.of("app", "program")) {
        Path module = modules.resolve(name);
        path.add(
            rewritten(jars ? Jars.of(root.resolve(name + ".jar"), Jars.manifest(), module) : module)
                .toString());
      }
      Jvm.Result ours =
          Jvm.java("-p", String.join(File.pathSeparator, path), "-m", "program/program.Main");
      assertThat(ours.out()).as(ours.err()).isEqualTo("hello you\nhello you\n");
    }
  }

  private Path rewritten(Path module) throws Exception {
    Path rewritten = folder.newFolder().toPath().resolve(module.getFileName());
    Jvm.Result retrofit =
        Jvm.java(
            "-cp",
            System.getProperty("java.class.path"),
            KarmiRetrofit.class.getName(),
            module,
            "-o",
            rewritten);
    assertThat(retrofit.exit()).as(retrofit.err()).isZero();
    return rewritten;
  }

  @Test
  public void secondKarmiOnTheModulePathIsTold() throws Exception {
    Path root = folder.getRoot().toPath();
    Path karmi = Jars.karmi(root);
    Path module =
        Sources.compile(
            root.resolve("module"),
            List.of("-p", karmi.toString()),
            "module app { requires io.karmi; requires jdk.unsupported; }",
            """
            package app;
            public class Main {
              public static void main(String[] args) {
                System.out.println("runs");
              }
            }
            """);
    Jvm.Result told =
        Jvm.java(
            "-javaagent:" + karmi, "-p", module + File.pathSeparator + karmi, "-m", "app/app.Main");
    assertThat(told.out()).isEqualTo("runs\n");
    assertThat(told.err().lines().filter(line -> line.startsWith("karmi: ")))
        .singleElement(as(STRING))
        .contains("a second KaRMI, " + karmi.toUri())
        .contains("--add-reads=<module>=ALL-UNNAMED");
  }

  @Test
  public void whatIsOpenToJavaRmiIsOpenToKarmiWhereNoClassIsMade() throws Exception {
    Path root = folder.getRoot().toPath();
    Path module =
        Sources.compile(root.resolve("module"), List.of(), MODULE, EXPORTED, CLOSED, PROGRAM);
    Jvm.Result stock = Jvm.java("-p", module, "-m", "app/app.Main");
    Jvm.Result ours =
        Jvm.java(
            "-javaagent:" + Jars.karmi(root),
            "-Dkarmi.codegen=off",
            "-p",
            module,
            "-m",
            "app/app.Main");
    assertThat(stock.out()).contains("closed: java.lang.reflect.InaccessibleObjectException");
    assertThat(ours.out()).as(ours.err()).isEqualTo(stock.out());
    assertThat(ours.err()).isEmpty();
  }

  @Test
  public void whatTheJdkDoesNotLetKarmiSeeIsRefusedAtExportWithTheOptionThatHelps()
      throws Exception {
    Path root = folder.getRoot().toPath();
    Path module =
        Sources.compile(root.resolve("module"), List.of(), MODULE, EXPORTED, CLOSED, PROGRAM);
    ClassLoader app = ofModule(module, "app");
    assertThatThrownBy(() -> skeleton(app, "app.exported.Shop"))
        .isInstanceOf(InaccessibleObjectException.class)
        .hasMessageContaining("app.exported.Shop.buy")
        .hasMessageEndingWith("add --add-exports=app/app.exported=ALL-UNNAMED");
    assertThatThrownBy(() -> skeleton(app, "app.Main$Local"))
        .isInstanceOf(InaccessibleObjectException.class)
        .hasMessageEndingWith("add --add-opens=app/app=ALL-UNNAMED");
    assertThatThrownBy(() -> skeleton(app, "app.closed.Closed"))
        .isInstanceOf(InaccessibleObjectException.class)
        .hasMessageEndingWith("module app does not export app.closed to module java.rmi");
  }

  /** The loader of a module that this JVM, which has no agent, is given now. */
  private static ClassLoader ofModule(Path module, String name) {
    ModuleLayer boot = ModuleLayer.boot();
    Configuration found =
        boot.configuration().resolve(ModuleFinder.of(module), ModuleFinder.of(), Set.of(name));
    return boot.defineModulesWithOneLoader(found, ClassLoader.getSystemClassLoader())
        .findLoader(name);
  }

  private static Object skeleton(ClassLoader loader, String type) throws Exception {
    return StubTypes.of(loader.loadClass(type)).makeSkeleton();
  }

  @Test
  public void karmicsClassesAreUsedInPackagesThatAreOpenToJavaRmiAlone() throws Exception {
    Path root = folder.getRoot().toPath();
    String program =
        PROGRAM.replace(
            "((Closed) UnicastRemoteObject.exportObject(closed, 0)).call()", "closed.call()");
    Path module =
        Sources.compile(root.resolve("module"), List.of(), MODULE, EXPORTED, CLOSED, program);
    karmic(module, "app.Main$ShopObject");
    Path log = root.resolve("loaded");
    Jvm.Result ours =
        withoutGenerating("-javaagent:" + Jars.karmi(root), log, module, "app/app.Main");
    String used = "shoe1[41, 42]\nshoe1 is sold out\n42\n";
    assertThat(ours.out()).as(ours.err()).isEqualTo(used + used);
    assertThat(ours.err()).isEmpty();
    assertThat(ofModule(log, 2)).containsExactly("app.Main$Local_KSkel_", "app.Main$Local_KStub_");
  }

  @Test
  public void karmicsClassesAreUsedInAModuleInWhichNothingIsRewired() throws Exception {
    Path root = folder.getRoot().toPath();
    Path modules = root.resolve("modules");
    Path app =
        Sources.compile(
            modules.resolve("app"),
            List.of(),
            "module app { requires transitive java.rmi; exports app; }",
            GREETER,
            GREETER_OBJECT);
    karmic(app, "app.Greeter");
    Sources.compile(
        modules.resolve("program"),
        List.of("-p", modules.toString()),
        "module program { requires app; requires java.management; }",
        GREETING);
    Path log = root.resolve("loaded");
    Jvm.Result result =
        withoutGenerating("-javaagent:" + Jars.karmi(root), log, modules, "program/program.Main");
    assertThat(result.out()).as(result.err()).isEqualTo("hello you\nhello you\n");
    assertThat(result.err()).isEmpty();
    assertThat(ofModule(log, 2)).containsExactly("app.Greeter_KSkel", "app.Greeter_KStub");
  }

  /** Has karmic make its classes into the directory of a module. */
  private static void karmic(Path module, String... types) throws Exception {
    List<Object> line = new ArrayList<>();
    line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    line.addAll(List.of("io.karmi.stubgen.cli.Karmic", "-d", module, "-cp", module));
    line.addAll(List.of(types));
    Jvm.Result made = Jvm.java(line.toArray());
    assertThat(made).isEqualTo(new Jvm.Result(0, "", ""));
  }

  private static Jvm.Result withoutGenerating(String way, Path log, Path modules, String main)
      throws Exception {
    return Jvm.java(
        way,
        "-Dkarmi.codegen=off",
        "-Xlog:class+load:file=" + log + "-%p",
        "-p",
        modules,
        "-m",
        main);
  }

  /**
   * The stubs and skeletons that were loaded from the program's module; fails where one is a proxy.
   */
  private static Set<String> ofModule(Path log, int jvms) throws Exception {
    Set<String> names = new TreeSet<>();
    int logs = 0;
    try (Stream<Path> files = Files.list(log.getParent())) {
      for (Path each : (Iterable<Path>) files::iterator) {
        if (each.getFileName().toString().startsWith(log.getFileName() + "-")) {
          logs++;
          String loaded = Files.readString(each);
          assertThat(loaded).contains("_KStub").doesNotContain("$Proxy");
          Pattern made = Pattern.compile("\\] (app\\.[\\w.$]+_KS(tub|kel)_?)\\w* source: file:");
          made.matcher(loaded).results().forEach(found -> names.add(found.group(1)));
        }
      }
    }
    assertThat(logs).isEqualTo(jvms);
    return names;
  }
}
