package io.karmi.karmic;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.AfterClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Two versions of an interface: in two JVMs, and in one with stubs of the other version. */
public class VersionsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String RUNTIME = System.getProperty("java.class.path");
  private static final String SERVER =
      """
      package app;
      public class Server implements Clock {
        static final Server SERVED = new Server();
        %s
        public static void main(String[] args) throws Exception {
          java.rmi.registry.Registry registry = null;
          int port = 0;
          while (registry == null) {
            try (var free = new java.net.ServerSocket(0)) { port = free.getLocalPort(); }
            try {
              registry = io.karmi.rmi.LocateRegistry.createRegistry(port);
            } catch (java.rmi.RemoteException e) { }
          }
          registry.rebind("clock", io.karmi.rmi.UnicastRemoteObject.exportObject(SERVED, 0));
          System.out.println("port " + port);
          Thread.sleep(Long.MAX_VALUE);
        }
      }
      """;
  private static final String CLIENT =
      """
      package app;
      public class Client {
        interface Call { Object call() throws Exception; }
        static void say(Call call) {
          try {
            System.out.println(call.call());
          } catch (Exception e) {
            System.out.println((e + "; " + e.getCause()).replaceAll("\\\\s+", " "));
          }
        }
        public static void main(String[] args) throws Exception {
          Clock clock = (Clock) io.karmi.rmi.LocateRegistry.getRegistry(
              "localhost", Integer.parseInt(args[0])).lookup("clock");
          say(() -> clock.now());
          say(() -> clock.gone(1));
          say(() -> clock.set(2));
          System.exit(0);
        }
      }
      """;

  @AfterClass
  public static void endServers() throws InterruptedException {
    Commands.endServers();
  }

  /** Compiles a version, and has karmic make its stubs. */
  private static String version(String name, String methods, String... sources) throws Exception {
    Path root = FOLDER.getRoot().toPath().resolve(name);
    Path classes = Files.createDirectories(root.resolve("classes"));
    Path clock = root.resolve("Clock.java");
    Files.writeString(
        clock, "package app; public interface Clock extends java.rmi.Remote {" + methods + "}");
    String[] line = new String[6 + sources.length];
    line[0] = "-proc:none";
    line[1] = "-d";
    line[2] = classes.toString();
    line[3] = "-cp";
    line[4] = RUNTIME;
    line[5] = clock.toString();
    for (int i = 0; i < sources.length; i++) {
      String type = sources[i].replaceAll("(?s).*?class (\\w+).*", "$1");
      line[6 + i] = Files.writeString(root.resolve(type + ".java"), sources[i]).toString();
    }
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, line)).isZero();
    Path stubs = root.resolve("stubs");
    assertThat(Commands.karmic("-d", stubs, "-cp", classes, "app.Clock").exit()).isZero();
    return classes + File.pathSeparator + stubs;
  }

  private static final String COMMON =
      "long now() throws java.rmi.RemoteException; String set(int a) throws"
          + " java.rmi.RemoteException;";
  private static final String BODY =
      "public long now() { return 1; } public String set(int a) { return \"set \" + a; }";

  private static String clientVersion() throws Exception {
    return version(
        "client", COMMON + "String gone(int a) throws java.rmi.RemoteException;", CLIENT);
  }

  private static List<String> options(String path) {
    return List.of("-Dkarmi.codegen=off", "-cp", path + File.pathSeparator + RUNTIME);
  }

  @Test
  public void methodsThatBothSidesKnowWorkAndOthersSayWhatIsMissing() throws Exception {
    String server =
        version(
            "server",
            COMMON + "int added() throws java.rmi.RemoteException;",
            SERVER.formatted(BODY + " public int added() { return 3; }"));
    int port = Commands.server(options(server), "app.Server");
    Jvm.Result result =
        Commands.java(options(clientVersion()), "app.Client", Integer.toString(port));
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines()).hasSize(3);
    assertThat(result.out()).startsWith("1\n").endsWith("set 2\n");
    assertThat(result.out().lines().toList().get(1))
        .startsWith("java.rmi.ServerException: ")
        .contains(
            "java.rmi.UnmarshalException: unrecognized method hash: method not supported by remote"
                + " object",
            "app.Clock (3 methods)");
  }

  @Test
  public void stubsOfAnOlderInterfaceAreNotUsedAndThatIsSaid() throws Exception {
    String server = version("newer", COMMON, SERVER.formatted(BODY));
    String client = version("newerClient", COMMON, CLIENT.replace("clock.gone(1)", "2"));
    String older =
        version("older", "long now() throws java.rmi.RemoteException;")
            .split(File.pathSeparator)[1];
    int port = Commands.server(options(server), "app.Server");
    String classes = client.split(File.pathSeparator)[0];
    for (String codegen : List.of("on", "off")) {
      Jvm.Result result =
          Commands.java(
              List.of(
                  "-Dkarmi.codegen=" + codegen,
                  "-cp",
                  String.join(File.pathSeparator, classes, older, RUNTIME)),
              "app.Client",
              Integer.toString(port));
      assertThat(result.out()).as(result.err()).isEqualTo("1\n2\nset 2\n");
      assertThat(result.err())
          .contains("app.Clock_KStub was made from an older version of [app.Clock]")
          .contains("run karmic again");
    }
  }
}
