package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.dgc.lease.LeaseProvider;
import io.karmi.id.ObjectId;
import io.karmi.kit.Deadline;
import io.karmi.reference.network.Technologies;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;

/** What it means for an object to be exported: its table, its collector, its end. */
public class ExportsTest {
  interface Door extends Remote {
    Door self() throws RemoteException;

    void pass() throws RemoteException;
  }

  interface Builder extends Remote {
    Unkept build() throws RemoteException;
  }

  /** A stub that leaves as all that is left of its object; garbage is collected behind it. */
  static final class Unkept implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int COLLECTIONS = 5;

    final Door stub;
    private transient OpenDoor object;

    Unkept(Door stub, OpenDoor object) {
      this.stub = stub;
      this.object = object;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      WeakReference<OpenDoor> left = new WeakReference<>(object);
      object = null;
      for (int i = 0; i < COLLECTIONS && left.get() != null; i++) {
        System.gc();
      }
    }
  }

  private static class OpenDoor implements Door {
    @Override
    public Door self() {
      return this;
    }

    @Override
    public void pass() {}
  }

  private static final class HeldDoor extends OpenDoor {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);

    @Override
    public void pass() {
      entered.countDown();
      try {
        if (!released.await(60, TimeUnit.SECONDS)) {
          throw new IllegalStateException("not released");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final LoopbackNodes nodes = new LoopbackNodes();

  @After
  public void closeNodes() {
    nodes.close();
  }

  @Test
  public void objectIsExportedOnce() throws Exception {
    Node node = nodes.open();
    OpenDoor door = new OpenDoor();
    ServerRef entry = nodes.export(node, Door.class, door);
    assertThatThrownBy(() -> nodes.export(node, Door.class, door))
        .isInstanceOf(ExportException.class)
        .hasMessage("object already exported");
    assertThat(node.exported(door)).isSameAs(entry);
    assertThat(node.exported(entry.id().number())).isSameAs(entry);
    assertThat(node.find(entry.id())).isSameAs(entry);
  }

  @Test
  public void objectThatIsUnexportedIsInNoTable() throws Exception {
    Node node = nodes.open();
    OpenDoor door = new OpenDoor();
    ServerRef entry = nodes.export(node, Door.class, door);
    assertThat(node.unexport(door, false)).isTrue();
    assertThat(node.exported(door)).isNull();
    assertThat(node.exported(entry.id().number())).isNull();
    assertThat(node.exported()).isEmpty();
    assertThatThrownBy(() -> node.unexport(door, false)).isInstanceOf(NoSuchObjectException.class);
  }

  @Test
  public void objectWhoseCallsRunIsUnexportedByForceOnly() throws Exception {
    Node node = nodes.open();
    HeldDoor door = new HeldDoor();
    ServerRef entry = nodes.export(node, Door.class, door);
    Door remote = LoopbackNodes.stub(nodes.open(), Door.class, entry.id());
    Thread caller = new Thread(() -> passOrFail(remote));
    caller.start();
    assertThat(door.entered.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(node.unexport(door, false)).as("while a call runs").isFalse();
    assertThat(node.exported(door)).isSameAs(entry);
    assertThat(node.unexport(door, true)).isTrue();
    door.released.countDown();
    caller.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(caller.isAlive()).isFalse();
    assertThat(entry.isExported()).isFalse();
  }

  private static void passOrFail(Door door) {
    try {
      door.pass();
    } catch (RemoteException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  public void manyObjectsAreFoundEachByItsNumber() throws Exception {
    Node node = nodes.open();
    ServerRef[] entries = new ServerRef[1000];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = nodes.export(node, Door.class, new OpenDoor());
    }
    for (int i = 0; i < entries.length; i += 2) {
      node.unexport(entries[i].target(), true);
    }
    for (int i = 0; i < entries.length; i++) {
      ServerRef expected = i % 2 == 0 ? null : entries[i];
      assertThat(node.exported(entries[i].id().number())).isSameAs(expected);
    }
    assertThat(node.exported()).hasSize(entries.length / 2);
  }

  @Test
  public void wellKnownNumberIsTakenOncePerEnd() throws Exception {
    Node node = nodes.open();
    StubType type = StubTypes.of(Door.class);
    OpenDoor first = new OpenDoor();
    ServerRef entry =
        node.exportWellKnown(ObjectId.REGISTRY, p -> first, type.makeSkeleton(), type, 0, null);
    try {
      assertThat(entry.isPermanent()).isTrue();
      assertThat(node.find(entry.id())).isSameAs(entry);
      assertThat(node.exported(ObjectId.REGISTRY)).as("by its number alone").isNull();
      assertThatThrownBy(
              () ->
                  node.exportWellKnown(
                      ObjectId.REGISTRY, p -> new OpenDoor(), type.makeSkeleton(), type, 0, null))
          .isInstanceOf(ExportException.class)
          .hasMessage("internal error: ObjID already in use");
    } finally {
      node.unexport(first, true);
    }
    assertThat(node.find(entry.id())).isNull();
  }

  @Test
  public void objectLivesAsLongAsAnotherNodeRefersToIt() throws Exception {
    Node server = nodes.open();
    Node client = nodes.open();
    server.add(new LeaseProvider());
    client.add(new LeaseProvider());
    ServerRef entry = nodes.export(server, Door.class, new OpenDoor());
    assertThat(server.describeObjects()).singleElement().asString().endsWith(", not referenced");

    Door held = LoopbackNodes.stub(client, Door.class, entry.id()).self();
    assertThat(server.describeObjects()).singleElement().asString().endsWith(", referenced");
    System.gc();
    assertThat(entry.target()).isNotNull();
    held.pass();
    Reference.reachabilityFence(held);
  }

  @Test
  public void objectWhoseStubIsUnderWayIsNotCollected() throws Exception {
    Node server = nodes.open();
    Node client = nodes.open();
    server.add(new LeaseProvider());
    client.add(new LeaseProvider());
    StubType type = StubTypes.of(Door.class);
    Builder builder =
        () -> {
          OpenDoor door = new OpenDoor();
          try {
            ServerRef entry = server.export(door, type.makeSkeleton(), type, 0, null);
            return new Unkept((Door) entry.stub(), door);
          } catch (IOException e) {
            throw new RemoteException("cannot be exported", e);
          }
        };
    ServerRef entry = nodes.export(server, Builder.class, builder);
    Unkept built = LoopbackNodes.stub(client, Builder.class, entry.id()).build();
    built.stub.pass();
    Reference.reachabilityFence(built);
  }

  @Test
  public void objectIsCollectedOnceNoNodeRefersToIt() throws Exception {
    Node server = nodes.open();
    server.add(new LeaseProvider());
    ServerRef entry = exportAndForget(server);
    Deadline.await(
        "the object is collected, and its entry removed",
        () -> {
          System.gc();
          return entry.target() == null && server.exported().isEmpty();
        });
    assertThat(entry.isExported()).isFalse();
  }

  @Test
  public void objectsAreCollectedThoughTheReaperWasInterrupted() throws Exception {
    Node server = nodes.open();
    server.add(new LeaseProvider());
    nodes.export(server, Door.class, new OpenDoor()); // stays
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().equals("RMI Reaper")) {
        each.interrupt();
        each.join(60_000);
        assertThat(each.isAlive()).isFalse();
      }
    }
    ServerRef entry = exportAndForget(server);
    Deadline.await(
        "the object is collected, and its entry removed",
        () -> {
          System.gc();
          return entry.target() == null && server.exported().size() == 1;
        });
  }

  /* Not with the others, which are kept to be unexported. */
  private static ServerRef exportAndForget(Node node) throws IOException {
    StubType type = StubTypes.of(Door.class);
    return node.export(new OpenDoor(), type.makeSkeleton(), type, 0, null);
  }

  @Test
  public void tablesAreShownToCallersOfThisHost() throws Exception {
    Node server = nodes.open();
    ServerRef entry = nodes.export(server, Door.class, new OpenDoor());
    Node client = nodes.open();
    Inspection asking =
        new Inspection(
            client,
            new Technologies(),
            new ExportTable(),
            new Collectors(client, new Technologies()));
    String number = String.format("%016x", entry.id().number());
    assertThat(asking.ask(entry.id().sibling(ObjectId.INSPECTION)))
        .contains("exportedObjects 1", "callsRefused 0")
        .anyMatch(line -> line.startsWith(number.substring(0, 4) + "... "))
        .as("all of a number is as good as a reference")
        .noneMatch(line -> line.contains(Long.toHexString(entry.id().number())));
  }
}
