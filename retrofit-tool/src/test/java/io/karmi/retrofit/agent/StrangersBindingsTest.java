package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.UnderAgent;
import java.rmi.AccessException;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.ServerException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Names that callers on stock RMI bind in a registry of a program under the agent. */
public class StrangersBindingsTest {
  private static final String PROGRAM =
      """
      package app;
      import java.rmi.registry.LocateRegistry;
      import java.rmi.registry.Registry;
      public class Main {
        public static void main(String[] args) throws Exception {
          Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
          System.out.println("ready");
          System.in.read();
          for (int i = 0; i < 2_000; i++) {
            registry.rebind("own " + i, registry);
          }
          System.out.println("bound");
          System.in.read();
          System.exit(0);
        }
      }
      """;

  private static final String LONG = "n".repeat(60_000);

  /** Their names alone would take all of the heap. */
  private static final int NAMES = 32_000_000 / LONG.length();

  private static final int HUNDREDS = 300;

  /** Names of this length that find room at least. */
  private static final int FEW = 20;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Remote object = new Remote() {};
  private Jvm node;
  private Registry registry;

  @Before
  public void start() throws Exception {
    int port = FreePort.any();
    node = UnderAgent.start(folder.getRoot().toPath(), 32, PROGRAM, port);
    node.awaitLine("ready");
    registry = LocateRegistry.getRegistry("127.0.0.1", port);
    UnicastRemoteObject.exportObject(object, 0);
  }

  @After
  public void stop() throws Exception {
    UnicastRemoteObject.unexportObject(object, true);
    node.close();
  }

  private int fill() throws Exception {
    for (int i = 0; i < NAMES; i++) {
      try {
        registry.rebind(LONG + i, object);
      } catch (ServerException e) {
        assertThat(e)
            .hasCauseInstanceOf(AccessException.class)
            .hasMessageContaining("one more name of 127.0.0.1");
        return i;
      }
    }
    return NAMES;
  }

  @Test(timeout = 60_000) // a node whose heap is full says nothing
  public void takeAQuarterOfTheHeap() throws Exception {
    int count = fill();
    assertThat(count).isBetween(FEW, NAMES / 4);
    assertThatThrownBy(() -> registry.bind("one more " + LONG, object))
        .as("until one is unbound")
        .hasCauseInstanceOf(AccessException.class);
    assertThatThrownBy(() -> registry.lookup("one more " + LONG))
        .isInstanceOf(NotBoundException.class);
    for (int i = 0; i < FEW; i++) {
      registry.unbind(LONG + i);
    }
    registry.bind("one more", object);
    assertThatThrownBy(() -> registry.bind("one more", object))
        .isInstanceOf(AlreadyBoundException.class);
    assertThat(registry.lookup("one more")).isEqualTo(RemoteObject.toStub(object));
  }

  @Test(timeout = 60_000)
  public void hundredsFit() throws Exception {
    for (int i = 0; i < HUNDREDS; i++) {
      registry.bind("name " + i, object);
    }
    assertThat(registry.list()).hasSize(HUNDREDS);
  }

  @Test(timeout = 60_000) // a node whose heap is full says nothing
  public void ofTheProgramDoNotCount() throws Exception {
    fill();
    node.ask("", "bound");
  }
}
