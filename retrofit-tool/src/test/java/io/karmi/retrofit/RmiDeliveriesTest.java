package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * One program, written for java.rmi, in two JVMs: its output on stock RMI, and after each way of
 * swapping KaRMI in.
 *
 * <p>The program starts its second JVM itself, with the first one's own arguments, and prints what
 * it sees.
 */
public class RmiDeliveriesTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String[] UNITS = {
    """
    package app;
    import java.io.*;
    import java.rmi.*;
    public interface Desk extends Remote {
      Object echo(Object value) throws RemoteException;
      int add(int a, int b) throws RemoteException;
      String call(Desk back, String text) throws RemoteException;
      void fail() throws RemoteException, IOException;
      String host() throws RemoteException;
      void done() throws RemoteException;
    }
    """,
    """
    package app;
    import java.io.*;
    import java.rmi.*;
    import java.rmi.server.*;
    public class DeskImpl extends UnicastRemoteObject implements Desk {
      private final String name;
      public DeskImpl(String name) throws RemoteException { this.name = name; }
      public Object echo(Object value) { return value; }
      public int add(int a, int b) { return a + b; }
      public String call(Desk back, String text) throws RemoteException {
        return name + "(" + back.echo(text) + ")";
      }
      public void fail() throws IOException { throw new FileNotFoundException("no " + name); }
      public String host() { try { return getClientHost(); }
        catch (ServerNotActiveException e) { return e.toString(); } }
      public void done() throws RemoteException { UnicastRemoteObject.unexportObject(this, true); }
    }
    """,
    """
    package app;
    import java.rmi.*;
    import java.rmi.registry.*;
    import java.util.*;
    public class Client {
      public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.getRegistry("127.0.0.1", port);
        Desk desk = (Desk) registry.lookup("desk");
        System.out.println(desk.add(2, 3) + " " + desk.echo(List.of(1, "a")) + " "
            + desk.echo(new Point(1, 2)));
        DeskImpl mine = new DeskImpl("client");
        System.out.println(desk.call(mine, "back"));
        System.out.println(desk.echo(mine).equals(java.rmi.server.RemoteObject.toStub(mine)));
        try {
          desk.fail();
        } catch (java.io.IOException e) {
          System.out.println(e);
        }
        System.out.println(Naming.lookup("//127.0.0.1:" + port + "/desk").equals(desk));
        System.out.println(desk.host().isEmpty() + " " + mine.host());
        desk.done();
        try {
          desk.add(1, 1);
        } catch (NoSuchObjectException e) {
          System.out.println("unexported");
        }
        System.out.println(java.rmi.server.UnicastRemoteObject.unexportObject(mine, true));
        System.out.println(Arrays.toString(registry.list()));
      }
    }
    class Point implements java.io.Serializable {
      private final int x, y;
      Point(int x, int y) { this.x = x; this.y = y; }
      public String toString() { return x + "/" + y; }
    }
    """,
    """
    package app;
    import java.rmi.registry.*;
    import java.util.*;
    public class Server {
      public static void main(String[] args) throws Exception {
        Registry registry = null;
        int port = 0;
        for (int i = 0; registry == null; i++) {
          try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            port = free.getLocalPort();
          }
          try {
            registry = LocateRegistry.createRegistry(port);
          } catch (java.rmi.server.ExportException e) {
            if (i > 9) throw e;
          }
        }
        DeskImpl desk = new DeskImpl("server");
        registry.rebind("desk", desk);
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.add("-XX:-UsePerfData");
        command.addAll(List.of(args));
        command.add("app.Client");
        command.add("" + port);
        Process client = new ProcessBuilder(command).inheritIO().start();
        System.out.println("client ends with " + client.waitFor());
      }
    }
    """
  };

  private static final String STOCK =
      """
      5 [1, a] 1/2
      server(back)
      true
      java.io.FileNotFoundException: no server
      true
      false java.rmi.server.ServerNotActiveException: not in a remote call
      unexported
      true
      [desk]
      client ends with 0
      """;

  private static Path root;
  private static Path karmi;
  private static Path classes;

  @BeforeClass
  public static void build() throws Exception {
    root = FOLDER.getRoot().toPath();
    karmi = Jars.karmi(root);
    classes = Sources.compile(root.resolve("classes"), List.of(), UNITS);
  }

  private static Jvm.Result run(Object... jvmArguments) throws Exception {
    return run(List.of(jvmArguments), List.of(jvmArguments));
  }

  private static Jvm.Result run(List<Object> server, List<Object> client) throws Exception {
    List<Object> arguments = new ArrayList<>(server);
    arguments.add("app.Server");
    arguments.addAll(client);
    return Jvm.java(arguments.toArray());
  }

  private static void sameAsStock(Jvm.Result result) {
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo(STOCK);
    assertThat(result.exit()).isZero();
  }

  private static Path retrofit(String... arguments) throws Exception {
    Object[] all = new Object[arguments.length + 3];
    all[0] = "-cp";
    all[1] = karmi;
    all[2] = "io.karmi.retrofit.cli.KarmiRetrofit";
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    Jvm.Result made = Jvm.java(all);
    assertThat(made.exit()).as(made.err()).isZero();
    return Path.of(arguments[arguments.length - 1]);
  }

  @Test
  public void stockRmi() throws Exception {
    sameAsStock(run("-cp", classes));
  }

  @Test
  public void agent() throws Exception {
    sameAsStock(run("-javaagent:" + karmi, "-cp", classes));
  }

  @Test
  public void agentWithWeaving() throws Exception {
    sameAsStock(run("-javaagent:" + karmi + "=weave", "-cp", classes));
  }

  @Test
  public void agentForRmiAlone() throws Exception {
    sameAsStock(run("-javaagent:" + karmi + "=only=rmi", "-cp", classes));
  }

  @Test
  public void agentForSerializationAlone() throws Exception {
    String agent = "-javaagent:" + karmi + "=only=serialization";
    sameAsStock(run("-Duka.format=uka", agent, "-cp", classes));
    speaksToStock(List.of(agent, "-cp", classes));
  }

  @Test
  public void bootPath() throws Exception {
    Path boot = retrofit("--boot", root.resolve("boot").toString());
    sameAsStock(run("@" + boot.resolve("java.args"), "-cp", classes));
  }

  @Test
  public void bootPathForSerializationAlone() throws Exception {
    Path boot = retrofit("--only=serialization", "--boot", root.resolve("uka").toString());
    String arguments = "@" + boot.resolve("java.args");
    sameAsStock(run("-Duka.format=uka", arguments, "-cp", classes));
    speaksToStock(List.of(arguments, "-cp", classes));
  }

  /** Stock RMI on UKA's streams calls stock RMI, and is called by it. */
  private static void speaksToStock(List<Object> swapped) throws Exception {
    List<Object> stock = List.of("-cp", classes);
    sameAsStock(run(swapped, stock));
    sameAsStock(run(stock, swapped));
  }

  @Test
  public void rewrittenDirectory() throws Exception {
    Path rewritten = retrofit(classes.toString(), "-o", root.resolve("rewritten").toString());
    sameAsStock(run("-cp", rewritten + File.pathSeparator + karmi));
  }

  @Test
  public void rewrittenJarWithWeaving() throws Exception {
    Path jar = Jars.of(root.resolve("app.jar"), Jars.manifest(), classes);
    Path rewritten =
        retrofit("--weave", jar.toString(), "-o", root.resolve("woven.jar").toString());
    sameAsStock(run("-cp", rewritten + File.pathSeparator + karmi));
  }

  @Test
  public void karmiIsReallyThere() throws Exception {
    Path spy =
        Sources.compile(
            root.resolve("spy"),
            List.of(),
            """
            package app;
            import java.rmi.*;
            import java.rmi.server.*;
            public class Spy {
              public static class It extends UnicastRemoteObject implements Remote {
                It() throws RemoteException {}
              }
              public static void main(String[] args) throws Exception {
                It it = new It();
                System.out.println(RemoteObject.toStub(it).getClass().getSuperclass().getName());
                UnicastRemoteObject.unexportObject(it, true);
              }
            }
            """);
    String stub = "io.karmi.stub.Stub\n";
    assertThat(Jvm.java("-javaagent:" + karmi, "-cp", spy, "app.Spy"))
        .isEqualTo(new Jvm.Result(0, stub, ""));
    Path boot = retrofit("--boot", root.resolve("boot2").toString());
    assertThat(Jvm.java("@" + boot.resolve("java.args"), "-cp", spy, "app.Spy"))
        .isEqualTo(new Jvm.Result(0, stub, ""));
    Path rewritten = retrofit(spy.toString(), "-o", root.resolve("spy2").toString());
    assertThat(Jvm.java("-cp", rewritten + File.pathSeparator + karmi, "app.Spy"))
        .isEqualTo(new Jvm.Result(0, stub, ""));
  }
}
