package io.karmi.stock;

import io.karmi.dgc.ExportedObjects;
import io.karmi.guard.TakenOver;
import io.karmi.id.JrmpName;
import io.karmi.id.ObjectId;
import io.karmi.reference.AnswerFilter;
import io.karmi.reference.ClientRef;
import io.karmi.reference.InterfaceFilter;
import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.reference.ServerRef;
import io.karmi.reference.StockRuntime;
import io.karmi.settings.Settings;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputFilter;
import java.io.ObjectOutput;
import java.io.ObjectStreamException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.ObjID;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteRef;
import java.rmi.server.Unreferenced;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stock RMI beside a node: exports counterparts there, and finds the stub of the other runtime.
 *
 * <p>Nothing but registries is exported before this JVM has met stock RMI: a peer has connected
 * that speaks JRMP, or stubs of stock RMI have come in. From then on everything is, old and new,
 * because stock RMI must recognise what it finds among arguments and results. {@code
 * -Dkarmi.jrmp=false} refuses peers without KaRMI. Thread-safe.
 */
public final class StockSide extends StockRuntime {
  private static final System.Logger LOG = System.getLogger(StockSide.class.getName());

  private static final String JRMP = "JRMI";

  private static final int MAXIMUM_IN_ARRAY = 10_000;

  /** Answers about counterparts are stubs of either runtime. */
  private static final ObjectInputFilter STUBS =
      new AnswerFilter(
          type ->
              InterfaceFilter.isOfStub(type)
                  || RMIClientSocketFactory.class.isAssignableFrom(type)
                  || RMIServerSocketFactory.class.isAssignableFrom(type),
          MAXIMUM_IN_ARRAY);

  private final Node node;
  private final boolean servesJrmp = !Settings.JRMP.mayBe("false");
  private final Map<ServerRef, Counterpart> counterparts = new ConcurrentHashMap<>();
  private final Map<ObjID, ServerRef> entries = new ConcurrentHashMap<>();

  /** Registries that have been created, and are not exported on KaRMI yet. */
  private final Map<Remote, Counterpart> registries =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** By stub, objects that want to know when no one holds them. */
  private final Map<Remote, ServerRef> toBeTold =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** The exported objects as stock RMI's collector sees them. */
  private final ExportedObjects held;

  private final CounterpartService service;
  private volatile boolean met;
  private volatile boolean allExported;

  /** Stock RMI beside this node. */
  public StockSide(Node node) {
    this.node = node;
    held = node.forCollector();
    service = new CounterpartService(node, this);
  }

  @Override
  public @Nullable TakenOver takeOver(Socket connection, byte[] first, Runnable whenClosed) {
    if (!servesJrmp || !isJrmp(first)) {
      return null;
    }
    isMet();
    int port = connection.getLocalPort();
    try {
      ReplayedSocket taken = new ReplayedSocket(connection, first, whenClosed);
      boolean offered = PortSockets.of(port).offer(taken) || PlaceholderExport.offer(port, taken);
      return offered ? taken.asTaken() : null;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "connection lost before stock RMI has got it", e);
      return null;
    }
  }

  private static boolean isJrmp(byte[] first) {
    if (first.length != JRMP.length()) {
      return false;
    }
    for (int i = 0; i < first.length; i++) {
      if (first[i] != JRMP.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void isMet() {
    if (!allExported) {
      exportAll();
    }
  }

  /* An export that comes at the same time either sees that stock RMI is met, or is in the table. */
  private synchronized void exportAll() {
    met = true;
    for (ServerRef each : node.exported()) {
      exported(each);
    }
    allExported = true;
  }

  @Override
  public Registry createRegistry(int port) throws RemoteException {
    Registry made = LocateRegistry.createRegistry(port, null, PortSockets.of(port));
    registries.put(made, Counterpart.ofRegistry(made));
    return made;
  }

  @Override
  public void exported(ServerRef ref) {
    if (!met && !registries.containsKey(ref.target())) {
      return;
    }
    try {
      counterpart(ref);
    } catch (RemoteException | RuntimeException e) {
      LOG.log(Level.WARNING, "programs without KaRMI cannot call object " + ref.id(), e);
    }
  }

  /** The counterpart of an exported object, made if need be; null if the object is gone. */
  private synchronized @Nullable Counterpart counterpart(ServerRef ref) throws RemoteException {
    Counterpart known = counterparts.get(ref);
    Remote object = ref.target();
    if (known != null || object == null || !ref.isExported()) {
      return known;
    }
    Counterpart registry = registries.remove(object);
    Counterpart made = registry != null ? registry : export(ref, object);
    counterparts.put(ref, made);
    entries.put(made.id, ref);
    if (object instanceof Unreferenced) {
      toBeTold.put(made.stub, ref);
    }
    return made;
  }

  /**
   * Privileged, since the program that hands an object to stock RMI may lack the permissions to
   * export it.
   */
  private Counterpart export(ServerRef ref, Remote object) throws RemoteException {
    try {
      return Privileged.call(() -> exportPermitted(ref, object));
    } catch (RemoteException e) {
      throw e;
    } catch (IOException e) {
      throw new ExportException("object " + ref.id() + " cannot be exported on stock RMI", e);
    }
  }

  private Counterpart exportPermitted(ServerRef ref, Remote object) throws RemoteException {
    int port = node.port(ref);
    if (port < 0) {
      throw new ExportException("object " + ref.id() + " listens at no TCP port");
    }
    return Counterpart.export(ref, object, port);
  }

  @Override
  public synchronized boolean unexport(ServerRef ref, boolean force) {
    Counterpart counterpart = counterparts.get(ref);
    Remote object = ref.target();
    return counterpart == null || object == null || counterpart.unexport(object, force);
  }

  @Override
  public void ended(ServerRef ref) {
    Counterpart gone = counterparts.remove(ref);
    if (gone != null) {
      entries.remove(gone.id);
      toBeTold.remove(gone.stub);
      StockLeases.ofJvm().ended(gone.id);
    }
  }

  @Override
  public void hold(Object target) {
    ServerRef ref = toBeTold.get(StockTarget.stub(target));
    if (ref != null) {
      held.hold(ref.id().number());
    }
  }

  @Override
  public void letGo(ServerRef ref) {
    held.letGo(ref.id().number());
  }

  @Override
  public boolean isExported(ObjID name) {
    return entries.containsKey(name);
  }

  @Override
  public boolean isWritingCall() {
    return StockCalls.isWriting();
  }

  @Override
  public boolean isOfCall(Object stream) {
    return StockCalls.isStream(stream);
  }

  @Override
  public Remote stockStub(ClientRef reference) throws ObjectStreamException {
    ObjectId id = reference.id();
    try {
      return reference.isLocal() ? stockStub(node.find(id)) : ask(reference);
    } catch (RemoteException e) {
      InvalidObjectException problem =
          new InvalidObjectException(
              "object " + id + " cannot be named to a program without KaRMI: its node says " + e);
      problem.initCause(e);
      throw problem;
    }
  }

  /**
   * The stub of an entry's counterpart.
   *
   * @throws NoSuchObjectException if the entry is null, or its object is gone
   */
  Remote stockStub(@Nullable ServerRef entry) throws RemoteException {
    Counterpart counterpart = entry == null ? null : counterpart(entry);
    if (counterpart == null) {
      throw new NoSuchObjectException("no such object in table");
    }
    return counterpart.stub;
  }

  private Remote ask(ClientRef reference) throws RemoteException {
    ObjectId owner = reference.id().sibling(ObjectId.COUNTERPARTS);
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    Privileged.setContextLoader(thread, reference.loader());
    try {
      Remote stub = stubOf(node.reference(owner)).stockStub(reference.id().number());
      if (stub == null) {
        throw new NoSuchObjectException("its node names no stub");
      }
      return stub;
    } finally {
      Privileged.setContextLoader(thread, context);
    }
  }

  private static Counterparts stubOf(ClientRef owner) {
    StubType type = StubTypes.of(Counterparts.class);
    type.remoteInterface().filterResults(STUBS);
    return (Counterparts) type.makeStub(owner);
  }

  @Override
  public @Nullable JrmpName name(ObjectId object) {
    return ChosenName.ARE_POSSIBLE ? nameOfEnded(object) : null;
  }

  @Override
  public @Nullable JrmpName nameOfEnded(ObjectId object) {
    InetSocketAddress at = node.address(object);
    return at == null ? null : JrmpName.of(object, at.getHostString(), at.getPort());
  }

  @Override
  public String referenceName() {
    return StockName.REFERENCE;
  }

  @Override
  public void writeReference(ClientRef reference, ObjectOutput call) throws IOException {
    RemoteRef written = StockName.reference(stockStub(reference));
    if (written == null) {
      throw new NotSerializableException(
          "the form of object " + reference.id() + " in stock RMI is no stub");
    }
    written.writeExternal(call);
  }

  @Override
  public Remote karmiStub(Remote stockStub) {
    StockName name = StockName.of(stockStub);
    if (name == null) {
      return stockStub;
    }
    try {
      ClientRef owner = node.locate(name.host, name.port, ObjectId.COUNTERPARTS);
      StockNumbers id = StockNumbers.of(name.id);
      Remote found = stubOf(owner).karmiStub(id.number, id.unique, id.time, id.count);
      return found == null ? stockStub : found;
    } catch (RemoteException e) {
      LOG.log(Level.DEBUG, "no KaRMI at " + name.host + ":" + name.port, e);
      return stockStub;
    }
  }

  /** The entry of the object that stock RMI knows under this name, or null. */
  @Nullable ServerRef entry(ObjID id) {
    return entries.get(id);
  }

  /** Null unless peers without KaRMI are served. */
  @Override
  protected @Nullable ServerRef counterparts() {
    return servesJrmp ? service.entry() : null;
  }
}
