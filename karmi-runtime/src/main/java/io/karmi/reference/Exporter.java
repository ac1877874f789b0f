package io.karmi.reference;

import io.karmi.dgc.ExportedObjects;
import io.karmi.events.Recorder;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.reference.network.ListeningEnds;
import io.karmi.technology.InCall;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.lang.ref.WeakReference;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.ExportException;
import org.jspecify.annotations.Nullable;

/**
 * Export of a node's objects, and its end. An entry in the table, a listening end, a counterpart on
 * stock RMI and a JVM that stays alive come and go together. Thread-safe.
 */
final class Exporter {
  private static final TechnologyId[] NO_ENDS = {};

  private final HomeNode node;
  private final ExportTable exports;
  private final ListeningEnds ends;
  private final ExportLifetimes lifetimes;

  Exporter(HomeNode node, ExportTable exports, ListeningEnds ends) {
    this.node = node;
    this.exports = exports;
    this.ends = ends;
    this.lifetimes = new ExportLifetimes(exports, this::collected);
  }

  /**
   * Exports an object under a number of its own.
   *
   * @param port for technologies that have ports; 0 for any
   * @param filter what arguments may contain, or null
   * @return the entry, whose stub is made
   * @throws ExportException if it is exported already
   * @throws IOException if a technology cannot listen there
   */
  ServerRef export(
      Remote object,
      Skeleton skeleton,
      StubFactory stubs,
      int port,
      @Nullable ObjectInputFilter filter)
      throws IOException {
    ServerRef earlier = exports.find(object);
    if (earlier != null) {
      if (!earlier.isWithdrawn()) {
        throw new ExportException("object already exported");
      }
      removeWithdrawn(earlier);
    }
    TechnologyId[] endpoints = ends.listen(port);
    ServerRef ref = null;
    boolean begun = false;
    try {
      ref = enterNumbered(object, endpoints, skeleton, stubs, filter);
      ends.begin(endpoints);
      begun = true;
      return ref;
    } finally {
      if (!begun) {
        failed(ref, endpoints);
      }
    }
  }

  private void failed(@Nullable ServerRef ref, TechnologyId[] endpoints) {
    if (ref != null) {
      withdraw(ref);
    }
    ends.release(endpoints);
    ends.begin(endpoints);
  }

  private ServerRef enterNumbered(
      Remote object,
      TechnologyId[] endpoints,
      Skeleton skeleton,
      StubFactory stubs,
      @Nullable ObjectInputFilter filter)
      throws ExportException {
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
      }
    }
  }

  /**
   * Exports an object under a well-known number of a port, for good.
   *
   * @param made makes the object, given its TCP port (−1 if no technology has one)
   * @throws ExportException if the number is taken at that port
   * @throws IOException if a technology cannot listen there
   */
  ServerRef exportWellKnown(
      long number,
      ObjectAtPort made,
      Skeleton skeleton,
      StubFactory stubs,
      int port,
      @Nullable ObjectInputFilter filter)
      throws IOException {
    TechnologyId[] endpoints = ends.listen(port);
    ServerRef ref = null;
    boolean begun = false;
    try {
      ObjectId name = new ObjectId(node.id(), number, endpoints);
      if (exports.findWellKnown(number, ends.first(name)) != null) {
        throw new ExportException("internal error: ObjID already in use");
      }
      ref = enter(made.make(ends.port(name)), name, skeleton, stubs, filter);
      ends.begin(endpoints);
      begun = true;
      return ref;
    } finally {
      if (!begun) {
        failed(ref, endpoints);
      }
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
    TechnologyId[] called = permanent ? ends.of(name) : NO_ENDS;
    lifetimes.exported(ref);
    boolean entered = false;
    try {
      if (!exports.add(identity, ref, called)) {
        throw new ExportException("object already exported");
      }
      node.stock().exported(ref);
      Recorder.instance().export(name.toString(), object.getClass().getName(), true);
      entered = true;
      return ref;
    } finally {
      if (!entered) {
        withdraw(ref);
      }
    }
  }

  /** An export has failed, perhaps for want of memory: the object may be exported again. */
  private void withdraw(ServerRef ref) {
    ref.withdraw();
    if (exports.remove(ref)) {
      node.stock().ended(ref);
    }
    lifetimes.unexported(ref);
  }

  /** There was no memory to remove an entry when its export had failed. */
  private void removeWithdrawn(ServerRef ref) {
    if (exports.remove(ref)) {
      node.stock().ended(ref);
      lifetimes.unexported(ref);
    }
  }

  /** The entry of an object of this node, or null. */
  @Nullable ServerRef find(ObjectId object) {
    return find(object.number(), ends.first(object));
  }

  /** The entry of the object with a number, or with a well-known one at an endpoint; or null. */
  @Nullable ServerRef find(long number, @Nullable TechnologyId endpoint) {
    if (number == ObjectId.COUNTERPARTS) {
      return node.stock().counterparts();
    }
    return ObjectId.isWellKnown(number)
        ? exports.findWellKnown(number, endpoint)
        : exports.find(number);
  }

  /** Lets the next call of the same object that comes by the same way find it at once. */
  void keepPlace(InCall call) {
    exports.keepPlace(call);
  }

  ExportedObjects forCollector() {
    return lifetimes.forCollector();
  }

  /** Lets the JVM end, whatever is exported. */
  void close() {
    lifetimes.close();
  }

  /**
   * Ends an export.
   *
   * @param force even while calls to the object are running
   * @return false if calls are running and {@code force} is not set; then nothing has changed
   * @throws NoSuchObjectException if the object is not exported
   */
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

  private void collected(ServerRef gone) {
    gone.unexport(true, node.stock());
    drop(gone);
  }

  void callEnded(ServerRef ref) {
    if (ref.isOver()) {
      lifetimes.unexported(ref);
    }
  }

  /** Takes an entry whose object is unexported or collected out of the table. */
  private void drop(ServerRef ref) {
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
