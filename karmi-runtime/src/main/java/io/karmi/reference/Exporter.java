package io.karmi.reference;

import io.karmi.events.Recorder;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.lang.ref.WeakReference;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.ExportException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the objects of a node callable from outside, and ends that: an entry in its table, an end
 * to be called at, a counterpart on stock RMI and a JVM that stays alive come and go together.
 * Thread-safe.
 */
final class Exporter {
  private static final TechnologyId[] NO_ENDS = {};

  private final Node node;
  private final ExportTable exports;
  private final ListeningEnds ends;
  private final Keeper keeper;

  Exporter(Node node, ExportTable exports, ListeningEnds ends, Keeper keeper) {
    this.node = node;
    this.exports = exports;
    this.ends = ends;
    this.keeper = keeper;
  }

  /** {@link Node#export}. */
  ServerRef export(
      Remote object,
      Skeleton skeleton,
      StubFactory stubs,
      int port,
      @Nullable ObjectInputFilter filter)
      throws IOException {
    if (exports.find(object) != null) {
      throw new ExportException("object already exported");
    }
    TechnologyId[] endpoints = ends.listen(port);
    long number = exports.reserve();
    boolean entered = false;
    try {
      ObjectId name = new ObjectId(node.id(), number, endpoints);
      ServerRef ref = enter(object, name, skeleton, stubs, filter);
      entered = true;
      return ref;
    } finally {
      if (!entered) {
        exports.release(number);
        ends.release(endpoints);
      }
      ends.begin(endpoints);
    }
  }

  /** {@link Node#exportWellKnown}. */
  ServerRef exportWellKnown(
      long number,
      ObjectAtPort made,
      Skeleton skeleton,
      StubFactory stubs,
      int port,
      @Nullable ObjectInputFilter filter)
      throws IOException {
    TechnologyId[] endpoints = ends.listen(port);
    boolean entered = false;
    try {
      ObjectId name = new ObjectId(node.id(), number, endpoints);
      if (exports.findWellKnown(number, node.end(name)) != null) {
        throw new ExportException("internal error: ObjID already in use");
      }
      ServerRef ref = enter(made.make(ends.port(name)), name, skeleton, stubs, filter);
      entered = true;
      return ref;
    } finally {
      if (!entered) {
        ends.release(endpoints);
      }
      ends.begin(endpoints);
    }
  }

  private ServerRef enter(
      Remote object,
      ObjectId name,
      Skeleton skeleton,
      StubFactory stubs,
      @Nullable ObjectInputFilter filter)
      throws ExportException {
    WeakReference<Remote> identity = exports.identify(object);
    boolean permanent = ObjectId.isWellKnown(name.number());
    ServerRef ref = new ServerRef(node, name, identity, skeleton, permanent, filter);
    Remote stub = stubs.makeStub(ref.clientRef());
    ref.setStub(stub, stubs.formOf(stub));
    keeper.exported(ref);
    if (!exports.add(identity, ref, permanent ? ends.of(name) : NO_ENDS)) {
      keeper.unexported(ref);
      throw new ExportException("object already exported");
    }
    node.stock().exported(ref);
    Recorder.instance().export(name.toString(), object.getClass().getName(), true);
    return ref;
  }

  /** {@link Node#unexport}. */
  boolean unexport(Remote object, boolean force) throws NoSuchObjectException {
    ServerRef ref = exports.find(object);
    if (ref == null) {
      throw new NoSuchObjectException("object not exported");
    }
    if (!ref.unexport(force, node.stock())) {
      return false;
    }
    drop(ref);
    return true;
  }

  /** {@link Node#callEnded}. */
  void callEnded(ServerRef ref) {
    if (ref.isOver()) {
      keeper.unexported(ref);
    }
  }

  /** {@link Node#drop}. */
  void drop(ServerRef ref) {
    if (exports.remove(ref)) {
      ref.unpin();
      node.stock().ended(ref);
      Recorder.instance().export(ref.id().toString(), ref.targetName(), false);
      callEnded(ref);
      ObjectId name = ref.id();
      for (int i = 0; i < name.technologyCount(); i++) {
        ends.release(name.technology(i));
      }
    }
  }
}
