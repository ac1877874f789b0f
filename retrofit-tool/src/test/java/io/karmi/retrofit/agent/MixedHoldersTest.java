package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** An object that is held by a client with KaRMI and by one without. */
public class MixedHoldersTest {
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  private static final String[] UNITS = {
    """
    package app;
    import java.rmi.*;
    public interface Desk extends Remote {
      int number() throws RemoteException;
    }
    """,
    """
    package app;
    import java.rmi.registry.*;
    import java.rmi.server.*;
    public class Server implements Desk, Unreferenced {
      static final Server SHARED = new Server("shared");
      static final Server ONE = new Server("of KaRMI");
      static final Server OTHER = new Server("of stock RMI");
      final String name;
      Server(String name) {
        this.name = name;
      }
      public int number() {
        return 7;
      }
      public void unreferenced() {
        System.out.println("told: " + name);
      }
      public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
        for (Server each : new Server[] {SHARED, ONE, OTHER}) {
          registry.bind(each.name, UnicastRemoteObject.exportObject(each, 0));
        }
        System.out.println("ready");
        System.in.read();
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.io.*;
    import java.lang.ref.WeakReference;
    import java.rmi.registry.*;
    import java.util.*;
    public class Client {
      public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0]));
        Map<String, Desk> held = new HashMap<>();
        for (String each : new String[] {"shared", args[1]}) {
          held.put(each, (Desk) registry.lookup(each));
          held.get(each).number();
        }
        System.out.println("holds");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String name = in.readLine(); name != null; name = in.readLine()) {
          WeakReference<Desk> gone = new WeakReference<>(held.remove(name));
          while (gone.get() != null) {
            System.gc();
            Thread.sleep(20);
          }
          System.out.println("released " + name);
        }
        System.exit(0);
      }
    }
    """
  };

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private String classes;

  /** Has KaRMI in a JVM. */
  private String karmi;

  private String port;

  @Before
  public void compile() throws Exception {
    Path root = folder.getRoot().toPath();
    classes = Sources.compile(root.resolve("classes"), List.of(), UNITS).toString();
    karmi = "-javaagent:" + Jars.karmi(root);
    port = Integer.toString(FreePort.any());
  }

  @Test
  public void theObjectIsToldOnceWhenTheOneWithoutKarmiHasLetGoLast() throws Exception {
    isToldOnce("of KaRMI", "of stock RMI");
  }

  @Test
  public void theObjectIsToldOnceWhenTheOneWithKarmiHasLetGoLast() throws Exception {
    isToldOnce("of stock RMI", "of KaRMI");
  }

  @Test
  public void theObjectIsToldOnceWithPatchesOnTheBootPath() throws Exception {
    karmi = Jars.onBootPath(folder.getRoot().toPath());
    isToldOnce("of KaRMI", "of stock RMI");
  }

  @Test
  public void theObjectIsToldWhenTheLeaseOfTheOneWithoutKarmiHasEnded() throws Exception {
    String leases = "-Djava.rmi.dgc.leaseValue=1000";
    try (Jvm server = Jvm.start(JDK, classes, karmi, leases, "app.Server", port)) {
      server.awaitLine("ready");
      try (Jvm one = client("of KaRMI");
          Jvm other = client("of stock RMI")) {
        one.awaitLine("holds");
        other.awaitLine("holds");
        one.ask("shared", "released shared");
        other.kill();
        server.awaitLine("told: shared");
      }
    }
  }

  @Test
  public void aSecurityManagerChangesNothing() throws Exception {
    assumeTrue("JDKs before 24 have security managers", Runtime.version().feature() < 24);
    Path policy = folder.getRoot().toPath().resolve("policy");
    Files.writeString(
        policy,
        "grant { permission java.net.SocketPermission \"*:1024-\", \"listen,accept,connect\";"
            + " permission java.lang.RuntimePermission \"exitVM.0\"; };\n");
    isToldOnce(
        "of KaRMI",
        "of stock RMI",
        "-Djava.security.manager=default",
        "-Djava.security.policy==" + policy);
  }

  private void isToldOnce(String first, String last, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(karmi));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("app.Server", port));
    try (Jvm server = Jvm.start(JDK, classes, arguments.toArray(new String[0]))) {
      server.awaitLine("ready");
      try (Jvm one = client(first);
          Jvm other = client(last)) {
        one.awaitLine("holds");
        other.awaitLine("holds");
        one.ask("shared", "released shared");
        one.ask(first, "released " + first);
        server.awaitLine("told: " + first);
        assertThat(server.linesWith("told: shared")).isEmpty();
        other.ask("shared", "released shared");
        server.awaitLine("told: shared");
        other.ask(last, "released " + last);
        server.awaitLine("told: " + last);
      }
      server.tell("");
      assertThat(server.everything().stream().filter(line -> line.equals("told: shared")))
          .hasSize(1);
    }
  }

  private Jvm client(String name) throws Exception {
    return name.equals("of KaRMI")
        ? Jvm.start(JDK, classes, karmi, "app.Client", port, name)
        : Jvm.start(JDK, classes, "app.Client", port, name);
  }
}
