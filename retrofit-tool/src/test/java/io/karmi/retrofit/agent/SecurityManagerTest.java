package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a program may do under a security manager, which JDKs before 24 have. */
public class SecurityManagerTest {
  private static final String PROGRAM =
      """
      package app;
      import java.io.*;
      import java.util.*;
      public class Main {
        record Point(int x, int y) implements Serializable {}
        static class Custom implements Serializable {
          private final String text = "text";
          private transient int length;
          private void readObject(ObjectInputStream in) throws Exception {
            in.defaultReadObject();
            length = text.length();
            try {
              System.getProperty("user.home");
            } catch (SecurityException e) {
              length = -length; // a hook is permitted no more than its program
            }
          }
          @Override public String toString() { return text + length; }
        }
        static class Plain extends ObjectOutputStream {
          Plain() throws IOException { super(OutputStream.nullOutputStream()); }
        }
        static class Sensitive extends ObjectOutputStream {
          Sensitive() throws IOException { super(OutputStream.nullOutputStream()); }
          @Override public void writeUnshared(Object object) throws IOException {}
        }
        static class Replacing extends ObjectOutputStream {
          Replacing() throws IOException {
            super(OutputStream.nullOutputStream());
            enableReplaceObject(true);
          }
        }
        interface Creation { Object run() throws IOException; }
        public static void main(String[] args) throws Exception {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(List.of(new Point(1, 2), new Custom(), new ArrayList<>(List.of("a"))));
          }
          ByteArrayInputStream source = new ByteArrayInputStream(bytes.toByteArray());
          try (ObjectInputStream in = new ObjectInputStream(source)) {
            System.out.println(in.readObject());
          }
          attempt(Plain::new);
          attempt(Sensitive::new);
          attempt(Replacing::new);
          attempt(() -> new ObjectOutputStream() {});
        }
        static void attempt(Creation creation) throws IOException {
          try {
            System.out.println(creation.run().getClass().getSuperclass().getSimpleName() != null);
          } catch (SecurityException e) {
            System.out.println("refused");
          }
        }
      }
      """;

  private static final String CALLS =
      """
      package app;
      import java.rmi.*;
      import java.rmi.registry.*;
      import java.rmi.server.*;
      import java.util.*;
      public class Main {
        public interface Echo extends Remote {
          Object echo(Object argument) throws RemoteException;
          Echo self() throws RemoteException;
        }
        static class Server extends UnicastRemoteObject implements Echo {
          Server() throws RemoteException {}
          public Object echo(Object argument) {
            try {
              return System.getProperty("user.home");
            } catch (SecurityException e) {
              return argument;
            }
          }
          public Echo self() { return this; }
        }
        public static void main(String[] args) throws Exception {
          Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
          Server server = new Server();
          registry.rebind("echo", server);
          Registry found = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0]));
          Echo echo = (Echo) found.lookup("echo");
          System.out.println(echo.echo(List.of("argument")) + " " + echo.self().equals(echo));
          try {
            UnicastRemoteObject.exportObject(new Echo() {
              public Object echo(Object argument) { return null; }
              public Echo self() { return null; }
            }, 1023);
          } catch (SecurityException e) {
            System.out.println("refused");
          }
          RMIServerSocketFactory sockets = java.net.ServerSocket::new;
          Registry ofStock = LocateRegistry.createRegistry(0, null, sockets);
          Registry caller = (Registry) RemoteObject.toStub(ofStock);
          caller.rebind("echo", server);
          System.out.println(((Echo) caller.lookup("echo")).echo("by stock RMI"));
          UnicastRemoteObject.unexportObject(ofStock, true);
          UnicastRemoteObject.unexportObject(server, true);
          UnicastRemoteObject.unexportObject(registry, true);
        }
      }
      """;

  private static final String LATE =
      """
      package app;
      import java.lang.management.ManagementFactory;
      import java.rmi.*;
      import java.rmi.registry.*;
      import java.rmi.server.*;
      import java.util.concurrent.*;
      import java.util.function.BooleanSupplier;
      import javax.management.*;
      public class Main {
        static final CountDownLatch LEFT = new CountDownLatch(1);
        static class Guest implements Remote, Unreferenced {
          public void unreferenced() {
            System.setSecurityManager(new SecurityManager());
            new Thread(LEFT::countDown).start();
          }
        }
        public static void main(String[] args) throws Exception {
          System.setProperty("sun.rmi.dgc.client.gcInterval", "200");
          MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
          ObjectName bean = new ObjectName("io.karmi:type=Node");
          Guest guest = new Guest();
          UnicastRemoteObject.exportObject(guest, 0);
          LocateRegistry.createRegistry(Integer.parseInt(args[0]));
          Registry registry = LocateRegistry.getRegistry("", Integer.parseInt(args[0]));
          registry.bind("guest", guest);
          registry.unbind("guest");
          System.out.println("left: " + LEFT.await(30, TimeUnit.SECONDS));
          System.out.println("names: " + registry.list().length);
          await(() -> beans.isRegistered(bean) || args.length == 1);
          System.exit(0);
        }
        static void await(BooleanSupplier condition) {
          long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
          while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
              throw new IllegalStateException("too late");
            }
            Thread.onSpinWait();
          }
        }
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Before
  public void securityManagersExist() {
    assumeTrue("JDKs before 24 have security managers", Runtime.version().feature() < 24);
  }

  @Test
  public void aProgramThatUsesStreamsNeedsNoMorePermissions() throws Exception {
    agree(PROGRAM, "", "Point[x=1, y=2]", "text-4", "refused");
  }

  @Test
  public void aProgramThatCallsNeedsNoMorePermissions() throws Exception {
    String sockets = "permission java.net.SocketPermission \"*:1024-\", \"listen,accept,connect\";";
    agree(CALLS, sockets, "[argument] true", "refused", "by stock RMI");
  }

  @Test
  public void aSecurityManagerMayComeLater() throws Exception {
    Path root = folder.getRoot().toPath();
    Path classes = Sources.compile(root.resolve("classes"), List.of(), LATE);
    Path policy = root.resolve("policy");
    Files.writeString(
        policy,
        "grant { permission java.net.SocketPermission \"*:1024-\", \"listen,accept,connect\";"
            + " permission java.lang.RuntimePermission \"exitVM.0\"; };\n");
    String allow = "-Djava.security.manager=allow";
    String rules = "-Djava.security.policy==" + policy;
    Jvm.Result stock = Jvm.java(allow, rules, "-cp", classes, "app.Main", FreePort.any());
    assertThat(stock.out()).as(stock.err()).contains("left: true", "names: 0");
    String agent = "-javaagent:" + Jars.karmi(root);
    Jvm.Result ours =
        Jvm.java(agent, allow, rules, "-cp", classes, "app.Main", FreePort.any(), "bean");
    assertThat(ours.out()).as(ours.err()).isEqualTo(stock.out());
    assertThat(ours.err()).doesNotContain("AccessControlException", "too late");
  }

  private void agree(String program, String permissions, String... expected) throws Exception {
    Path root = folder.getRoot().toPath();
    Path classes = Sources.compile(root.resolve("classes"), List.of(), program);
    Path policy = root.resolve("policy");
    Files.writeString(policy, "grant { " + permissions + " };\n");
    String manager = "-Djava.security.manager=default";
    String rules = "-Djava.security.policy==" + policy;
    Jvm.Result stock = Jvm.java(manager, rules, "-cp", classes, "app.Main", FreePort.any());
    assertThat(stock.out()).as(stock.err()).contains(expected);
    String agent = "-javaagent:" + Jars.karmi(root);
    Jvm.Result ours = Jvm.java(agent, manager, rules, "-cp", classes, "app.Main", FreePort.any());
    assertThat(ours.out()).as(ours.err()).isEqualTo(stock.out());
    String off = "-Dkarmi.codegen=off";
    Jvm.Result plain =
        Jvm.java(agent, off, manager, rules, "-cp", classes, "app.Main", FreePort.any());
    assertThat(plain.out()).as(plain.err()).isEqualTo(stock.out());
    String boot = Jars.onBootPath(root);
    Jvm.Result patched = Jvm.java(boot, manager, rules, "-cp", classes, "app.Main", FreePort.any());
    assertThat(patched.out()).as(patched.err()).isEqualTo(stock.out());
  }
}
