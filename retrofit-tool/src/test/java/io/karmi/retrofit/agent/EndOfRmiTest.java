package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Path;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Programs that end RMI by the thread that keeps their JVM alive end under the agent as without.
 */
public class EndOfRmiTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String PROGRAM =
      """
      package app;
      import java.net.ServerSocket;
      import java.rmi.*;
      import java.rmi.registry.*;
      import java.rmi.server.*;
      public class Main {
        static class Service implements Remote {}
        static final Remote KEPT = new Service();
        static final Remote WITH_SOCKETS = new Service();
        public static void main(String[] args) throws Exception {
          UnicastRemoteObject.exportObject(KEPT, 0);
          if (args.length > 0) {
            UnicastRemoteObject.exportObject(WITH_SOCKETS, 0, null, ServerSocket::new);
            LocateRegistry.createRegistry(0);
          }
          for (Thread each : Thread.getAllStackTraces().keySet()) {
            if (each.getName().equals("RMI Reaper")) {
              System.out.println(each.isDaemon() + " " + each.isAlive());
              each.interrupt();
              each.join(60_000);
              System.out.println(each.isAlive());
            }
          }
        }
      }
      """;

  private static Path classes;
  private static String agent;

  @BeforeClass
  public static void build() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    classes = Sources.compile(root.resolve("classes"), List.of(), PROGRAM);
    agent = "-javaagent:" + Jars.karmi(root);
  }

  @Test
  public void interruptedReaperEndsTheJvm() throws Exception {
    Jvm.Result stock = Jvm.java("-cp", classes, "app.Main");
    assertThat(stock).isEqualTo(new Jvm.Result(0, "false true\nfalse\n", ""));
    assertThat(Jvm.java(agent, "-cp", classes, "app.Main")).isEqualTo(stock);
  }

  @Test
  public void reapersOfBothRuntimesEndTheJvm() throws Exception {
    String each = "false true\nfalse\n";
    assertThat(Jvm.java("-cp", classes, "app.Main", "sockets").exit()).isZero();
    assertThat(Jvm.java(agent, "-cp", classes, "app.Main", "sockets"))
        .isEqualTo(new Jvm.Result(0, each + each, ""));
  }
}
