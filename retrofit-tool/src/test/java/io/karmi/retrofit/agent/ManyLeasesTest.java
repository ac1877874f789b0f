package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Sources;
import io.karmi.retrofit.kit.UnderAgent;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A client without KaRMI that holds many objects of a server under the agent. */
public class ManyLeasesTest {
  private static final String PROGRAM =
      """
      package app;
      import java.rmi.Remote;
      import java.rmi.RemoteException;
      import java.rmi.registry.LocateRegistry;
      import java.rmi.server.UnicastRemoteObject;
      public class Main {
        public interface Part extends Remote { int number() throws RemoteException; }
        public interface Whole extends Remote { Part[] parts(int count) throws RemoteException; }
        static class OnePart extends UnicastRemoteObject implements Part {
          final int number;
          OnePart(int number) throws RemoteException { this.number = number; }
          public int number() { return number; }
        }
        static class Parts extends UnicastRemoteObject implements Whole {
          Parts() throws RemoteException {}
          public Part[] parts(int count) throws RemoteException {
            Part[] parts = new Part[count];
            for (int i = 0; i < count; i++) {
              parts[i] = new OnePart(i);
            }
            return parts;
          }
        }
        public static void main(String[] args) throws Exception {
          int port = Integer.parseInt(args[0]);
          if (args.length == 1) {
            LocateRegistry.createRegistry(port).rebind("whole", new Parts());
            System.out.println("ready");
            while (System.in.read() == '\\n') {
              System.gc();
              System.out.println("collected");
            }
            System.exit(0);
          }
          Whole whole = (Whole) LocateRegistry.getRegistry("127.0.0.1", port).lookup("whole");
          Part[][] parts = new Part[Integer.parseInt(args[1])][];
          for (int i = 0; i < parts.length; i++) {
            parts[i] = whole.parts(Integer.parseInt(args[2]));
          }
          System.out.println("has all");
          System.in.read();
          int there = 0;
          for (Part[] some : parts) {
            for (int i = 0; i < some.length; i += 100) {
              there += some[i].number() == i ? 1 : 0;
            }
          }
          System.out.println("there " + there);
          System.exit(0);
        }
      }
      """;

  private static final int HEAP_MIB = 64;

  /** Together more than have room in a sixteenth of that, with 256 bytes each. */
  private static final int CALLS = 4;

  private static final int OBJECTS_OF_CALL = 4_500;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void objectsThatOneClientHoldsStay() throws Exception {
    Path root = folder.getRoot().toPath();
    int port = FreePort.any();
    try (Jvm server = UnderAgent.start(root, HEAP_MIB, PROGRAM, port)) {
      server.awaitLine("ready");
      try (Jvm client =
          Jvm.start(
              Path.of(System.getProperty("java.home")),
              Sources.compile(root.resolve("client"), List.of(), PROGRAM).toString(),
              "app.Main",
              Integer.toString(port),
              Integer.toString(CALLS),
              Integer.toString(OBJECTS_OF_CALL))) {
        client.awaitLine("has all");
        server.ask("", "collected");
        client.tell("");
        assertThat(client.awaitLine("there "))
            .isEqualTo(Integer.toString(CALLS * OBJECTS_OF_CALL / 100));
      }
    }
  }
}
