package io.karmi.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.id.ObjectId;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.rmi.AccessException;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What stands before a registry: who may write, and what may be bound. */
public class RegistryTest {
  /** Of the documentation's addresses (RFC 5737), so that no host has it. */
  private static final String ELSEWHERE = "203.0.113.9";

  private static final String REMOTE_WRITES = "karmi.registry.remoteWrites";

  interface Greeter extends Remote {
    String greet() throws RemoteException;
  }

  /** Would be copied to the registry. */
  private static final class Value implements Remote, Serializable {
    private static final long serialVersionUID = 1;
    final ArrayList<String> content = new ArrayList<>(List.of("of no use to a registry"));
  }

  private static final class Table implements Registry {
    private final Map<String, Remote> bound = new ConcurrentHashMap<>();

    @Override
    public Remote lookup(String name) throws NotBoundException {
      Remote found = bound.get(name);
      if (found == null) {
        throw new NotBoundException(name);
      }
      return found;
    }

    @Override
    public void bind(String name, Remote object) throws AlreadyBoundException {
      if (bound.putIfAbsent(name, object) != null) {
        throw new AlreadyBoundException(name);
      }
    }

    @Override
    public void unbind(String name) throws NotBoundException {
      if (bound.remove(name) == null) {
        throw new NotBoundException(name);
      }
    }

    @Override
    public void rebind(String name, Remote object) {
      bound.put(name, object);
    }

    @Override
    public String[] list() {
      return bound.keySet().toArray(new String[0]);
    }
  }

  private final List<Node> nodes = new ArrayList<>();
  private final Table table = new Table();
  private final Greeter greeter = () -> "hello";
  private Node home;
  private Node owner;
  private ServerRef entry;

  private Node open(String host) {
    Node node = new Node(List.of(new UkaFormat()));
    node.add(new LoopbackTechnology(node.upCall(), host));
    nodes.add(node);
    return node;
  }

  private Registry from(Node node) {
    return (Registry) StubTypes.of(Registry.class).makeStub(node.reference(entry.id()));
  }

  @Before
  public void exportRegistry() throws IOException {
    home = open("127.0.0.1");
    owner = open("127.0.0.1");
    StubType type = StubTypes.of(Registry.class);
    entry =
        home.exportWellKnown(
            ObjectId.REGISTRY,
            port -> table,
            new RegistrySkeleton(type.makeSkeleton()),
            type,
            0,
            RegistryFilter.INSTANCE);
    StubType greeters = StubTypes.of(Greeter.class);
    owner.export(greeter, greeters.makeSkeleton(), greeters, 0, null);
  }

  @After
  public void closeNodes() throws IOException {
    owner.unexport(greeter, true);
    home.unexport(table, true);
    nodes.forEach(Node::close);
  }

  @Test
  public void whatOneNodeBindsAnotherOneFindsAndCalls() throws Exception {
    from(owner).bind("greeter", greeter);
    Registry third = from(open(ELSEWHERE));
    assertThat(third.list()).containsExactly("greeter");
    assertThat(((Greeter) third.lookup("greeter")).greet()).isEqualTo("hello");
    assertThat(third.lookup("greeter"))
        .isEqualTo(Objects.requireNonNull(owner.exported(greeter)).stub());
  }

  @Test
  public void namesAreBoundOnceAndUnboundOnce() throws Exception {
    Registry registry = from(owner);
    registry.bind("greeter", greeter);
    assertThatThrownBy(() -> registry.bind("greeter", greeter))
        .isInstanceOf(AlreadyBoundException.class);
    registry.rebind("greeter", greeter);
    registry.unbind("greeter");
    assertThatThrownBy(() -> registry.unbind("greeter")).isInstanceOf(NotBoundException.class);
    assertThatThrownBy(() -> registry.lookup("greeter"))
        .isInstanceOf(NotBoundException.class)
        .hasMessage("greeter");
  }

  @Test
  public void hostsOtherThanTheRegistrysMayNotWrite() throws Exception {
    table.bind("held", greeter);
    Node elsewhere = open(ELSEWHERE);
    Registry remote = from(elsewhere);
    ServerRef exported = Objects.requireNonNull(owner.exported(greeter));
    Remote stub = StubTypes.of(Greeter.class).makeStub(elsewhere.reference(exported.id()));
    assertRefused(() -> remote.bind("new", stub), "Registry.bind");
    assertRefused(() -> remote.rebind("held", stub), "Registry.rebind");
    assertRefused(() -> remote.unbind("held"), "Registry.unbind");
    assertThat(table.bound).containsOnlyKeys("held");
  }

  @Test
  public void hostsElsewhereMayWriteWhereTheyAreLetTo() throws Exception {
    Node elsewhere = open(ELSEWHERE);
    ServerRef exported = Objects.requireNonNull(owner.exported(greeter));
    Remote stub = StubTypes.of(Greeter.class).makeStub(elsewhere.reference(exported.id()));
    System.setProperty(REMOTE_WRITES, "true");
    try {
      from(elsewhere).rebind("held", stub);
    } finally {
      System.clearProperty(REMOTE_WRITES);
    }
    assertThat(table.bound).containsOnlyKeys("held");
    assertRefused(() -> from(elsewhere).unbind("held"), "Registry.unbind");
  }

  private interface Write {
    void run() throws Exception;
  }

  private static void assertRefused(Write write, String operation) {
    assertThatThrownBy(write::run)
        .as(operation)
        .isInstanceOf(ServerException.class)
        .hasCauseInstanceOf(AccessException.class)
        .hasStackTraceContaining(
            operation + " disallowed; origin /" + ELSEWHERE + " is non-local host");
  }

  @Test
  public void objectThatIsNoStubIsNotBound() {
    Registry registry = from(owner);
    assertThatThrownBy(() -> registry.bind("value", new Value()))
        .isInstanceOf(ServerException.class)
        .hasRootCauseInstanceOf(InvalidClassException.class)
        .hasStackTraceContaining("REJECTED");
    assertThat(table.bound).isEmpty();
    assertThat(registryAnswers(registry)).as("the connection is as good as before").isTrue();
  }

  private static boolean registryAnswers(Registry registry) {
    try {
      return registry.list().length == 0;
    } catch (RemoteException e) {
      return false;
    }
  }
}
