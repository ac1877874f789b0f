package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A program for java.rmi under the agent, with an authorizer on its class path, as
 * docs/operations.md says. It starts its client, and in one case its registry, in further JVMs.
 */
public class AuthorizedTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String[] UNITS = {
    """
    package app;
    import io.karmi.interceptor.*;
    import java.rmi.AccessException;
    public class Policy implements CallAuthorizer {
      public void check(Call call, Caller caller) throws AccessException {
        if (call.method().startsWith("secret")) {
          throw new AccessException("not for " + caller.technology().isEmpty());
        }
      }
    }
    """,
    """
    package app;
    import java.rmi.*;
    public interface Desk extends Remote {
      String open() throws RemoteException;
      String secret() throws RemoteException;
    }
    """,
    """
    package app;
    import java.rmi.registry.*;
    public class Names {
      public static void main(String[] args) throws Exception {
        LocateRegistry.createRegistry(Integer.parseInt(args[0]));
        System.out.println("ready");
        System.in.read();
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.rmi.*;
    import java.rmi.registry.*;
    public class Client {
      public static void main(String[] args) throws Exception {
        Registry names = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0]));
        try {
          Desk desk = (Desk) names.lookup("desk");
          System.out.println(desk.open());
          System.out.println(desk.secret());
        } catch (ConnectIOException e) {
          System.out.println("refused");
        } catch (ServerException e) {
          System.out.println(e.getCause());
        } catch (AccessException e) {
          System.out.println(e);
        }
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.rmi.registry.*;
    import java.rmi.server.UnicastRemoteObject;
    import java.util.*;
    public class Server {
      static class DeskObject extends UnicastRemoteObject implements Desk {
        DeskObject() throws java.rmi.RemoteException {}
        public String open() { return "open"; }
        public String secret() { return "told"; }
      }
      public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[1]);
        Process names = args[0].equals("external") ? start("-cp", args[2], "app.Names", port) : null;
        if (names != null) {
          System.out.println(names.inputReader().readLine());
        }
        Registry registry = names != null
            ? LocateRegistry.getRegistry("127.0.0.1", port) : LocateRegistry.createRegistry(port);
        DeskObject desk = new DeskObject();
        registry.rebind("desk", desk);
        System.out.println(List.of(registry.list()));
        Process stock = start("-cp", args[2], "app.Client", port);
        System.out.println("without KaRMI: " + stock.inputReader().readLine());
        stock.waitFor();
        Process client = start(args[3], "-cp", args[2], "app.Client", port);
        client.inputReader().lines().forEach(System.out::println);
        if (names != null) {
          names.destroyForcibly().waitFor();
        }
        UnicastRemoteObject.unexportObject(desk, true);
      }
      static Process start(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.add("-XX:-UsePerfData");
        for (Object each : arguments) {
          command.add(each.toString());
        }
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      }
    }
    """
  };

  private static final String ALLOWED = "open\njava.rmi.AccessException: not for false\n";

  private static Path classes;
  private static String agent;
  private static String path;

  @BeforeClass
  public static void build() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    Path karmi = Jars.karmi(root);
    agent = "-javaagent:" + karmi;
    classes = Sources.compile(root.resolve("classes"), List.of("-cp", karmi.toString()), UNITS);
    Path services = Files.createDirectories(root.resolve("policy/META-INF/services"));
    Files.writeString(services.resolve("io.karmi.interceptor.CallAuthorizer"), "app.Policy\n");
    path = classes + File.pathSeparator + root.resolve("policy");
  }

  private static Jvm.Result serve(String registry) throws Exception {
    return Jvm.java(
        agent, "-cp", path, "app.Server", registry, FreePort.any(), classes.toString(), agent);
  }

  @Test
  public void nodeWithAnAuthorizerMakesItsOwnRegistry() throws Exception {
    assertThat(serve("own"))
        .isEqualTo(new Jvm.Result(0, "[desk]\nwithout KaRMI: refused\n" + ALLOWED, ""));
  }

  @Test
  public void nodeWithAnAuthorizerBindsInARegistryOfStockRmiWithoutAWarning() throws Exception {
    assertThat(serve("external"))
        .isEqualTo(new Jvm.Result(0, "ready\n[desk]\nwithout KaRMI: refused\n" + ALLOWED, ""));
  }
}
