package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Objects that are exported when they are read, each at a port of the sender's choice. */
public class SentExportsTest {
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
    import java.rmi.server.UnicastRemoteObject;
    public class Part extends UnicastRemoteObject {
      Part(int port) throws Exception {
        unexportObject(this, true);
        var field = UnicastRemoteObject.class.getDeclaredField("port");
        field.setAccessible(true);
        field.setInt(this, port);
      }
    }
    """,
    """
    package app;
    import java.net.*;
    import java.rmi.*;
    import java.rmi.registry.LocateRegistry;
    public class Sender {
      public static void main(String[] args) throws Exception {
        Desk desk = (Desk) LocateRegistry.getRegistry(Integer.parseInt(args[0])).lookup("desk");
        ServerSocket[] free = new ServerSocket[20];
        for (int i = 0; i < free.length; i++) {
          free[i] = new ServerSocket(0);
        }
        int listening = 0;
        for (ServerSocket each : free) {
          each.close();
          try {
            desk.take(new Part(each.getLocalPort()));
          } catch (ServerException e) {
            // is read no more
          }
          try (Socket socket = new Socket("127.0.0.1", each.getLocalPort())) {
            listening++;
          } catch (java.net.ConnectException e) {
            // does not listen
          }
        }
        System.out.println(desk.take("text") + " " + listening);
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
      static final List<Object> TAKEN = new ArrayList<>();
      public int take(Object any) {
        TAKEN.add(any);
        return 1;
      }
      public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.createRegistry(port);
        registry.rebind("desk", UnicastRemoteObject.exportObject(DESK, port));
        for (String agent : new String[] {"-Da=b", args[2]}) {
          Process process =
              new ProcessBuilder(
                      ProcessHandle.current().info().command().get(),
                      "-XX:-UsePerfData",
                      agent,
                      "--add-opens=java.rmi/java.rmi.server=ALL-UNNAMED",
                      "-cp",
                      args[1],
                      "app.Sender",
                      args[0])
                  .redirectError(ProcessBuilder.Redirect.INHERIT)
                  .start();
          process.inputReader().lines().forEach(System.out::println);
        }
        System.exit(0);
      }
    }
    """
  };

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void listenAtAFewPortsOnly() throws Exception {
    Path root = folder.getRoot().toPath();
    Path classes = Sources.compile(root.resolve("classes"), List.of(), UNITS);
    String agent = "-javaagent:" + Jars.karmi(root);
    assertThat(Jvm.java(agent, "-cp", classes, "app.Server", FreePort.any(), classes, agent))
        .isEqualTo(new Jvm.Result(0, "1 16\n1 0\n", ""));
  }
}
