package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** References name this host as stock RMI's do. */
public class HostNameTest {
  private static final String PROGRAM =
      """
      package app;
      import java.rmi.Remote;
      import java.rmi.server.UnicastRemoteObject;
      public class Main {
        public static void main(String[] args) throws Exception {
          String stub = UnicastRemoteObject.exportObject(new Remote() {}, 0).toString();
          System.out.println(stub.replaceAll(".*(endpoint:.|tcp )([^:]+):.*", "$2"));
          System.exit(0);
        }
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void nameWithADomainIsUsedWhereTheProgramAsksForIt() throws Exception {
    Path root = folder.getRoot().toPath();
    Path classes = Sources.compile(root.resolve("classes"), List.of(), PROGRAM);
    String own = InetAddress.getLocalHost().getHostName();
    Path hosts = root.resolve("hosts");
    Files.writeString(hosts, "127.0.0.1 machine.example " + own + " localhost\n");
    String names = "-Djdk.net.hosts.file=" + hosts;
    String asked = "-Djava.rmi.server.useLocalHostName=true";
    Jvm.Result stock = Jvm.java(names, asked, "-cp", classes, "app.Main");
    assertThat(stock).isEqualTo(new Jvm.Result(0, "machine.example\n", ""));
    String agent = "-javaagent:" + Jars.karmi(root);
    assertThat(Jvm.java(agent, names, asked, "-cp", classes, "app.Main")).isEqualTo(stock);
    assertThat(Jvm.java(agent, names, "-cp", classes, "app.Main").out())
        .doesNotContain("machine.example");
  }
}
