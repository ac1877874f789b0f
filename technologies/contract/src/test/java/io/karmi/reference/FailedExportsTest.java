package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.Technology;
import io.karmi.technology.ThrownByCallee;
import java.io.Closeable;
import java.rmi.ConnectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import org.junit.After;
import org.junit.Test;

/** Exports that fail because memory ends on the way, and are made again when there is some. */
public class FailedExportsTest {
  interface Door extends Remote {
    int pass() throws RemoteException;
  }

  private static final class OpenDoor implements Door {
    @Override
    public int pass() {
      return 1;
    }
  }

  /** Fails when the object has been entered into the table. */
  private static final class FailingStock extends StockRuntime {
    int failures = 1;
    int ended;

    @Override
    public void exported(ServerRef ref) {
      if (failures-- > 0) {
        throw new OutOfMemoryError("made");
      }
    }

    @Override
    public void ended(ServerRef ref) {
      ended++;
    }
  }

  /** Listens, or fails to, and cannot be called. */
  private static final class Listening extends Technology {
    private final String name;
    private final int rank;
    boolean fails;

    /** Once. */
    boolean beginFails;

    /** How many exports use it. */
    int users;

    /** How many exports it holds calls back for. */
    int held;

    Listening(String name, int rank) {
      this.name = name;
      this.rank = rank;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public TechnologyId listen(int port) {
      if (fails) {
        throw new OutOfMemoryError("made");
      }
      users++;
      held++;
      return new TechnologyId(name, "here");
    }

    @Override
    public void begin(TechnologyId endpoint) {
      if (beginFails) {
        beginFails = false;
        throw new OutOfMemoryError("made");
      }
      held--;
    }

    @Override
    public void release(TechnologyId endpoint) {
      users--;
    }

    @Override
    public boolean reaches(TechnologyId id) {
      return false;
    }

    @Override
    protected CallInput exchange(
        ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
        throws RemoteException {
      throw new ConnectException("cannot be called");
    }

    @Override
    protected Closeable line(
        ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
        throws RemoteException, ThrownByCallee {
      throw new ConnectException("cannot be called");
    }

    @Override
    public void close() {}
  }

  private final LoopbackNodes nodes = new LoopbackNodes();

  @After
  public void closeNodes() {
    nodes.close();
  }

  @Test
  public void objectWhoseExportHasFailedCanBeExported() throws Exception {
    Node node = nodes.open();
    FailingStock stock = new FailingStock();
    node.use(stock);
    OpenDoor door = new OpenDoor();
    assertThatThrownBy(() -> nodes.export(node, Door.class, door))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(node.exported(door)).isNull();
    assertThat(node.exported()).isEmpty();
    assertThat(stock.ended).as("counterparts that were taken back").isEqualTo(1);
    ServerRef entry = nodes.export(node, Door.class, door);
    assertThat(LoopbackNodes.stub(nodes.open(), Door.class, entry.id()).pass()).isEqualTo(1);
  }

  @Test
  public void numbersOfFailedExportsAreGivenBackOnce() throws Exception {
    Node node = nodes.open();
    FailingStock stock = new FailingStock();
    node.use(stock);
    ServerRef first = null;
    for (int i = 0; i < 200; i++) {
      stock.failures = 1;
      OpenDoor door = new OpenDoor();
      assertThatThrownBy(() -> nodes.export(node, Door.class, door))
          .isInstanceOf(OutOfMemoryError.class);
      ServerRef entry = nodes.export(node, Door.class, door);
      first = first == null ? entry : first;
      assertThat(node.exported(entry.id().number())).isSameAs(entry);
      assertThat(node.exported(first.id().number())).as("the first one").isSameAs(first);
    }
  }

  @Test
  public void listenersOfAnExportThatFailsAreReleased() throws Exception {
    Node node = nodes.alone();
    Listening first = new Listening("first", 2);
    Listening second = new Listening("second", 1);
    node.add(first);
    node.add(second);
    second.fails = true;
    assertThatThrownBy(() -> nodes.export(node, Door.class, new OpenDoor()))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(first.users).as("exports that use the first technology").isZero();
    assertThat(first.held).as("exports for which calls are held back").isZero();
    second.fails = false;
    nodes.export(node, Door.class, new OpenDoor());
    assertThat(first.users).isEqualTo(1);
    assertThat(second.users).isEqualTo(1);
    assertThat(first.held + second.held).isZero();
  }

  @Test
  public void exportThatFailsWhenCallsAreToBeginIsTakenBack() throws Exception {
    Node node = nodes.alone();
    Listening technology = new Listening("only", 1);
    node.add(technology);
    technology.beginFails = true;
    OpenDoor door = new OpenDoor();
    assertThatThrownBy(() -> nodes.export(node, Door.class, door))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(node.exported(door)).isNull();
    assertThat(technology.users).isZero();
    assertThat(technology.held).isZero();
    nodes.export(node, Door.class, door);
    assertThat(technology.users).isEqualTo(1);
  }

  @Test
  public void objectWhoseFailedExportCouldNotBeRemovedCanBeExported() throws Exception {
    Node node = nodes.open();
    OpenDoor door = new OpenDoor();
    ServerRef withdrawn = nodes.export(node, Door.class, door);
    withdrawn.withdraw();
    ServerRef entry = nodes.export(node, Door.class, door);
    assertThat(entry).isNotSameAs(withdrawn);
    assertThat(node.exported()).hasSize(1);
    assertThat(LoopbackNodes.stub(nodes.open(), Door.class, entry.id()).pass()).isEqualTo(1);
  }
}
