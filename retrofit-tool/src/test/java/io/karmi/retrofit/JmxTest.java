package io.karmi.retrofit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** JMX over RMI goes on between JVMs of which one, or the other, or both are swapped. */
public class JmxTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String[] UNITS = {
    """
    package app;
    import java.util.*;
    public class Server {
      public static void main(String[] args) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.add("-XX:-UsePerfData");
        command.addAll(List.of(args));
        System.out.println(new ProcessBuilder(command).inheritIO().start().waitFor());
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.lang.management.*;
    import java.util.*;
    import javax.management.remote.*;
    public class OverKarmi {
      public static void main(String[] args) throws Exception {
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:karmi://127.0.0.1:0/beans"),
            null, ManagementFactory.getPlatformMBeanServer());
        server.start();
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.add("-XX:-UsePerfData");
        command.addAll(List.of(args));
        command.add(server.getAddress().toString());
        System.out.println(new ProcessBuilder(command).inheritIO().start().waitFor());
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.lang.management.*;
    import java.rmi.*;
    import java.rmi.registry.*;
    import java.rmi.server.*;
    import java.util.*;
    import javax.management.remote.*;
    public class Beside {
      interface Named extends Remote {
        String name() throws RemoteException;
      }
      static class NamedObject implements Named {
        public String name() {
          return "beside";
        }
      }
      public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.createRegistry(port);
        Named object = new NamedObject();
        registry.bind("object", UnicastRemoteObject.exportObject(object, port));
        JMXServiceURL url = new JMXServiceURL(
            "service:jmx:rmi://127.0.0.1:" + port + "/jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
            url, null, ManagementFactory.getPlatformMBeanServer());
        server.start();
        Registry found = LocateRegistry.getRegistry("127.0.0.1", port);
        System.out.println(((Named) found.lookup("object")).name());
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.add("-XX:-UsePerfData");
        command.addAll(List.of(args).subList(1, args.length));
        System.out.println(new ProcessBuilder(command).inheritIO().start().waitFor());
        server.stop();
        System.out.println(((Named) found.lookup("object")).name());
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.rmi.*;
    import java.rmi.server.*;
    import java.util.*;
    import javax.management.*;
    import javax.management.remote.*;
    public class Echo {
      interface Named extends Remote {
        String name() throws RemoteException;
      }
      static class NamedObject implements Named {
        public String name() {
          return "of the client";
        }
      }
      public interface BeanMBean {
        Object echo(Object any);
      }
      public static class Bean implements BeanMBean {
        public Object echo(Object any) {
          return any;
        }
      }
      static final String[] ANY = {"java.lang.Object"};
      public static void main(String[] args) throws Exception {
        ObjectName name = new ObjectName("app:type=Bean");
        if (args[0].startsWith("service:")) {
          Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            thrown.printStackTrace();
            System.exit(1);
          });
          JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(args[0]));
          MBeanServerConnection beans = connector.getMBeanServerConnection();
          NamedObject object = new NamedObject();
          Object[] stub = {UnicastRemoteObject.exportObject(object, 0)};
          System.out.println(((Named) beans.invoke(name, "echo", stub, ANY)).name());
          UnicastRemoteObject.unexportObject(object, true);
          Named ended = (Named) beans.invoke(name, "echo", stub, ANY);
          try {
            ended.name();
          } catch (NoSuchObjectException e) {
            System.out.println("ended");
          }
          System.exit(0);
        }
        MBeanServer server = MBeanServerFactory.newMBeanServer();
        server.registerMBean(new Bean(), name);
        JMXConnectorServer connectors = JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi://127.0.0.1"), null, server);
        connectors.start();
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().get());
        command.add("-XX:-UsePerfData");
        command.addAll(List.of(args));
        command.add(connectors.getAddress().toString());
        System.out.println(new ProcessBuilder(command).inheritIO().start().waitFor());
        System.exit(0);
      }
    }
    """,
    """
    package app;
    import java.lang.management.*;
    import javax.management.*;
    import javax.management.remote.*;
    public class Client {
      public static void main(String[] args) throws Exception {
        JMXServiceURL url = new JMXServiceURL(
            args[0].startsWith("service:")
                ? args[0]
                : "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + args[0] + "/jmxrmi");
        try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
          MBeanServerConnection beans = connector.getMBeanServerConnection();
          ObjectName runtime = new ObjectName("java.lang:type=Runtime");
          System.out.println(beans.getAttribute(runtime, "VmName") != null);
          beans.addNotificationListener(new ObjectName("JMImplementation:type=MBeanServerDelegate"),
              (notification, handback) -> { }, null, null);
        }
      }
    }
    """
  };

  private static Path karmi;
  private static Path classes;

  @BeforeClass
  public static void build() throws Exception {
    karmi = Jars.karmi(FOLDER.getRoot().toPath());
    classes = Sources.compile(FOLDER.getRoot().toPath().resolve("classes"), List.of(), UNITS);
  }

  /** A connector server at the port of the program's own registry, which is KaRMI's. */
  private static void connectsBeside(List<String> clientOptions) throws Exception {
    int port = FreePort.any();
    List<Object> arguments = new ArrayList<>();
    arguments.addAll(List.of("-javaagent:" + karmi, "-cp", classes, "app.Beside", port));
    arguments.addAll(clientOptions);
    arguments.addAll(List.of("-cp", classes, "app.Client", port));
    Jvm.Result result = Jvm.java(arguments.toArray());
    assertThat(result.out()).as(result.err()).isEqualTo("beside\ntrue\n0\nbeside\n");
    assertThat(result.exit()).isZero();
  }

  private static void connects(List<String> serverOptions, List<String> clientOptions)
      throws Exception {
    int port = FreePort.any();
    String remote = "-Dcom.sun.management.jmxremote.";
    List<Object> arguments = new ArrayList<>(serverOptions);
    arguments.addAll(
        List.of(
            remote + "port=" + port,
            remote + "host=127.0.0.1",
            remote + "authenticate=false",
            remote + "ssl=false",
            "-cp",
            classes,
            "app.Server"));
    arguments.addAll(clientOptions);
    arguments.addAll(List.of("-cp", classes, "app.Client", port));
    Jvm.Result result = Jvm.java(arguments.toArray());
    /* On a slow machine JMX itself may log that a client left while it was being asked. */
    assertThat(result.out()).as(result.err()).isEqualTo("true\n0\n");
    assertThat(result.exit()).isZero();
  }

  @Test
  public void fromStockToSwapped() throws Exception {
    connects(List.of("-javaagent:" + karmi), List.of());
  }

  @Test
  public void fromSwappedToStock() throws Exception {
    connects(List.of(), List.of("-javaagent:" + karmi));
  }

  @Test
  public void betweenSwapped() throws Exception {
    connects(List.of("-javaagent:" + karmi), List.of("-javaagent:" + karmi));
  }

  @Test
  public void fromStockAtThePortOfASwappedRegistry() throws Exception {
    connectsBeside(List.of());
  }

  @Test
  public void fromSwappedAtThePortOfASwappedRegistry() throws Exception {
    connectsBeside(List.of("-javaagent:" + karmi));
  }

  /** The agent alone is enough for the connector of KaRMI: its jar is on no class path. */
  @Test
  public void overTheConnectorOfKarmi() throws Exception {
    String agent = "-javaagent:" + karmi;
    Jvm.Result result =
        Jvm.java(agent, "-cp", classes, "app.OverKarmi", agent, "-cp", classes, "app.Client");
    assertThat(result.out()).as(result.err()).isEqualTo("true\n0\n");
    assertThat(result.exit()).isZero();
  }

  /**
   * A bean sends a stub back to its client: of an object that is exported, and of one that ended.
   */
  private static void echoesStubs(List<Object> serverOptions, List<Object> clientOptions)
      throws Exception {
    List<Object> arguments = new ArrayList<>(serverOptions);
    arguments.addAll(List.of("-cp", classes, "app.Echo"));
    arguments.addAll(clientOptions);
    arguments.addAll(List.of("-cp", classes, "app.Echo"));
    Jvm.Result result = Jvm.java(arguments.toArray());
    assertThat(result.out()).as(result.err()).isEqualTo("of the client\nended\n0\n");
    assertThat(result.exit()).isZero();
  }

  @Test
  public void aStubComesBackFromStockToSwapped() throws Exception {
    echoesStubs(List.of("-javaagent:" + karmi), List.of());
  }

  @Test
  public void aStubComesBackFromSwappedToStock() throws Exception {
    echoesStubs(List.of(), List.of("-javaagent:" + karmi));
  }

  @Test
  public void aStubComesBackBetweenSwapped() throws Exception {
    echoesStubs(List.of("-javaagent:" + karmi), List.of("-javaagent:" + karmi));
  }
}
