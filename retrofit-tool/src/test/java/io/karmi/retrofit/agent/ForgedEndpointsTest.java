package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * References of stock RMI to endpoints of the sender's choice, in arguments: the JDK's collector
 * starts a thread for each endpoint.
 */
public class ForgedEndpointsTest {
  private static final String[] UNITS = {
    """
    package app;
    import java.rmi.*;
    public interface Desk extends Remote {
      int take(Object any) throws RemoteException;
    }
    """,
    """
    package app;
    import java.rmi.*;
    import java.rmi.registry.LocateRegistry;
    public class Stock {
      public static void main(String[] args) throws Exception {
        Desk desk = (Desk) LocateRegistry.getRegistry(Integer.parseInt(args[0])).lookup("desk");
        System.out.println(call(desk, 1, 100) + " " + call(desk, 1000, 1) + " " + call(desk, 1, 1));
      }
      static String call(Desk desk, int endpoints, int times) throws Exception {
        Remote[] stubs = new Remote[endpoints * times];
        for (int i = 0; i < stubs.length; i++) {
          stubs[i] = LocateRegistry.getRegistry("127.0.0.1", 1 + i % endpoints);
        }
        try {
          return "took " + desk.take(stubs);
        } catch (ServerException | UnmarshalException e) {
          Throwable cause = e;
          while (cause.getCause() != null) {
            cause = cause.getCause();
          }
          return cause.getClass().getSimpleName();
        }
      }
    }
    """,
    """
    package app;
    public class Karmi {
      public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Desk desk = (Desk) io.karmi.rmi.LocateRegistry.getRegistry(port).lookup("desk");
        System.out.println(Stock.call(desk, 1000, 1));
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.rmi.registry.*;
    import java.rmi.server.UnicastRemoteObject;
    import java.util.*;
    public class Server implements Desk {
      static final Server DESK = new Server();
      public int take(Object any) { return ((Object[]) any).length; }
      public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[2]);
        Registry registry = LocateRegistry.createRegistry(port);
        registry.rebind("desk", UnicastRemoteObject.exportObject(DESK, port));
        System.out.println(run("-cp", args[0], "app.Stock", port) + threads());
        System.out.println(run("-cp", args[1], "app.Karmi", port) + threads());
        System.exit(0);
      }
      /** At most 300; a few may begin or end while they are counted. */
      static String threads() {
        long cleaners = Thread.getAllStackTraces().keySet().stream()
            .filter(each -> each.getName().contains("RenewClean-")).count();
        return cleaners <= 320 ? ", few threads" : ", " + cleaners + " threads";
      }
      static String run(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.add("-XX:-UsePerfData");
        for (Object each : arguments) {
          command.add(each.toString());
        }
        Process process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String line = process.inputReader().readLine();
        process.destroyForcibly().waitFor();
        return line;
      }
    }
    """
  };

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void theThreadsThatAPeerCausesAreBoundedWithAndWithoutKarmi() throws Exception {
    Path root = folder.getRoot().toPath();
    Path karmi = Jars.karmi(root);
    Path classes =
        Sources.compile(root.resolve("classes"), List.of("-cp", karmi.toString()), UNITS);
    Jvm.Result server =
        Jvm.java(
            "-javaagent:" + karmi,
            "-Xmx64m",
            "-cp",
            classes,
            "app.Server",
            classes,
            classes + File.pathSeparator + karmi,
            FreePort.any());
    assertThat(server)
        .isEqualTo(
            new Jvm.Result(
                0,
                "took 100 InvalidObjectException took 1, few threads\n"
                    + "InvalidObjectException, few threads\n",
                ""));
  }
}
