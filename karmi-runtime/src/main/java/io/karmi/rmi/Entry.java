package io.karmi.rmi;

import io.karmi.reference.CallContext;
import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.reference.ServerRef;
import io.karmi.reference.StockRuntime;
import io.karmi.reference.StoredForm;
import io.karmi.registry.Registries;
import io.karmi.registry.StockBindings;
import io.karmi.stock.PortSockets;
import io.karmi.stock.StockEndpoints;
import io.karmi.stock.StockLeases;
import io.karmi.stock.StockNames;
import io.karmi.stub.StandIns;
import io.karmi.stub.Stub;
import io.karmi.stub.StubTypes;
import io.karmi.summary.StockTally;
import java.io.DataInput;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Method;
import java.rmi.AlreadyBoundException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.ObjID;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteCall;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteRef;
import java.rmi.server.RemoteStub;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.Skeleton;
import java.rmi.server.Unreferenced;
import org.jspecify.annotations.Nullable;

/**
 * Entry point for the methods of java.rmi whose bodies were changed by the agent or on the boot
 * path.
 *
 * <p>Each of them begins with {@code if (Entry.takesX(arguments)) return Entry.x(arguments);} and
 * goes on as before. For every entry point there are two methods here with its parameters: the
 * question and the answer. Thread-safe.
 */
@SuppressWarnings("deprecation") // RemoteStub is what the oldest exportObject returns
public final class Entry {
  private static final System.Logger LOG = System.getLogger(Entry.class.getName());

  private Entry() {}

  /** Whether KaRMI exports the object; without a port. */
  public static boolean takesExport(Remote object) throws ExportException {
    return takes(object, false, false);
  }

  /** Exports an object whose stub must be a {@link RemoteStub}. */
  public static RemoteStub export(Remote object) throws RemoteException {
    RemoteStub stub = Exports.export(object);
    setOwn(object, Exports.find(object));
    return stub;
  }

  /** Whether KaRMI exports the object. */
  public static boolean takesExport(Remote object, int port) throws ExportException {
    PortsOfPeers.check(port);
    return takes(object, false, false);
  }

  /** Exports an object and returns its stub. */
  public static Remote export(Remote object, int port) throws RemoteException {
    ServerRef entry = Exports.export(object, port);
    setOwn(object, entry);
    return entry.stub();
  }

  private static void setOwn(Remote object, @Nullable ServerRef entry) {
    if (entry != null && object instanceof java.rmi.server.UnicastRemoteObject) {
      OwnReference.set((RemoteObject) object, entry);
    }
  }

  /** Whether KaRMI exports the object; not if it is to have sockets of its own. */
  public static boolean takesExport(
      Remote object,
      int port,
      @Nullable RMIClientSocketFactory client,
      @Nullable RMIServerSocketFactory server)
      throws ExportException {
    PortsOfPeers.check(port);
    boolean sockets = client != null || server != null;
    return !isCounterpart(server) && takes(object, sockets, false);
  }

  /** Exports an object and returns its stub. */
  public static Remote export(
      Remote object,
      int port,
      @Nullable RMIClientSocketFactory client,
      @Nullable RMIServerSocketFactory server)
      throws RemoteException {
    return export(object, port);
  }

  /**
   * Whether KaRMI exports the object; not if it is to have a filter of its own. Then KaRMI listens
   * at the port first, so that others can be exported there, too.
   */
  public static boolean takesExport(Remote object, int port, @Nullable ObjectInputFilter filter)
      throws RemoteException {
    return takesExport(object, port, null, null, filter);
  }

  /** Exports an object and returns its stub. */
  public static Remote export(Remote object, int port, @Nullable ObjectInputFilter filter)
      throws RemoteException {
    return export(object, port);
  }

  /** Whether KaRMI exports the object; not if it is to have sockets or a filter of its own. */
  public static boolean takesExport(
      Remote object,
      int port,
      @Nullable RMIClientSocketFactory client,
      @Nullable RMIServerSocketFactory server,
      @Nullable ObjectInputFilter filter)
      throws RemoteException {
    boolean sockets = client != null || server != null;
    if (isCounterpart(server)) {
      return false;
    }
    boolean taken = takes(object, sockets, filter != null);
    if (!taken && filter != null && object != null && !PlatformObjects.contain(object)) {
      Exports.shareWithStock(port, client, server);
    }
    return taken;
  }

  /** Exports an object and returns its stub. */
  public static Remote export(
      Remote object,
      int port,
      @Nullable RMIClientSocketFactory client,
      @Nullable RMIServerSocketFactory server,
      @Nullable ObjectInputFilter filter)
      throws RemoteException {
    return export(object, port);
  }

  /**
   * True for an object without socket factories and filter of its own, unless it belongs to the JDK
   * or is on stock RMI already.
   *
   * @throws ExportException if stock RMI is to export what KaRMI does already
   */
  private static boolean takes(Remote object, boolean sockets, boolean filter)
      throws ExportException {
    if (object == null) {
      return false;
    }
    boolean ofJdk = PlatformObjects.contain(object);
    if (!sockets && !filter && !ofJdk && !Exports.isExportedOnStock(object)) {
      return true;
    }
    if (Exports.isExported(object)) {
      throw new ExportException("object already exported");
    }
    StockTally.exported(object, sockets, filter, ofJdk);
    return false;
  }

  /**
   * Whether stock RMI gets its connections at a port from KaRMI, which listens there, or gets
   * server sockets that are checked, because KaRMI speaks TLS.
   */
  public static boolean takesServerSockets(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server) {
    return Exports.stockSockets(port, client, server) != server;
  }

  /** The server sockets from which stock RMI gets its connections then. */
  public static @Nullable RMIServerSocketFactory serverSockets(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server) {
    return Exports.stockSockets(port, client, server);
  }

  /** Whether the endpoint of a reference of stock RMI is read for a peer. */
  public static boolean takesReadEndpoint(DataInput in) {
    return CallContext.isServing();
  }

  /** What reads the endpoint then, and refuses it if there are too many. */
  public static DataInput readEndpoint(DataInput in) {
    return StockEndpoints.check(in);
  }

  /** As for an endpoint that has no sockets of its own. */
  public static boolean takesReadEndpoint(ObjectInput in) {
    return CallContext.isServing();
  }

  /** As for an endpoint that has no sockets of its own. */
  public static ObjectInput readEndpoint(ObjectInput in) {
    return StockEndpoints.check(in);
  }

  /** Always: a name that a peer has sent may be one too many. */
  public static boolean takesResolveClass(Object stream, ObjectStreamClass description) {
    return true;
  }

  /** The description whose class a stream of stock RMI looks for. */
  public static ObjectStreamClass resolveClass(Object stream, ObjectStreamClass description)
      throws ClassNotFoundException {
    return StockNames.check(description);
  }

  /** Whether a stream of stock RMI may not look for the class of a proxy. */
  public static boolean takesResolveProxyClass(Object stream, String[] interfaces) {
    return !StockNames.mayLookFor(interfaces);
  }

  /** The class of a proxy then. */
  public static Class<?> resolveProxyClass(Object stream, String[] interfaces)
      throws ClassNotFoundException {
    return StockNames.proxyClass(interfaces);
  }

  /** Always: the collector of stock RMI gives leases as far as there is room. */
  public static boolean takesDirty(Object collector, ObjID[] ids, long sequence, Lease lease) {
    return true;
  }

  /** The lease that may be given. */
  public static Lease dirty(Object collector, ObjID[] ids, long sequence, Lease lease)
      throws RemoteException {
    return StockLeases.ofJvm().ask(ids, lease, Node.current().stock()::isExported);
  }

  /** Always: an object may have holders of both kinds. */
  public static boolean takesReferenced(Object target, long sequence, VMID holder) {
    return true;
  }

  /** The collector is one more of KaRMI's for objects that want to know when no one holds them. */
  public static VMID referenced(Object target, long sequence, VMID holder) {
    Node.current().stock().hold(target);
    return holder;
  }

  /** Whether KaRMI exports an object that the collector tells that no one holds it. */
  public static boolean takesUnreferenced(Object target, Unreferenced object) {
    return object instanceof Remote && Exports.isExported((Remote) object);
  }

  /** Has it told when no one holds it on KaRMI either. */
  public static void unreferenced(Object target, Unreferenced object) {
    ServerRef ref = Exports.find((Remote) object);
    if (ref != null) {
      Node.current().stock().letGo(ref);
    }
  }

  /** Always. */
  public static boolean takesClean(
      Object collector, ObjID[] ids, long sequence, VMID holder, boolean strong) {
    return true;
  }

  /**
   * Whether the collector remembers for ever that the holder has let the objects go, in case that
   * an earlier message comes late: never. Then that one lease lasts until it ends.
   */
  public static boolean clean(
      Object collector, ObjID[] ids, long sequence, @Nullable VMID holder, boolean strong) {
    StockLeases.ofJvm().release(ids, holder);
    return false;
  }

  /** Whether the bindings of a call of stock RMI's to a registry are yet to be counted. */
  public static boolean takesDispatch(
      Object skeleton, Remote registry, RemoteCall call, int operation, long hash) {
    return StockBindings.takesDispatch(registry);
  }

  /** Executes the call, and counts them. */
  public static void dispatch(
      Object skeleton, Remote registry, RemoteCall call, int operation, long hash)
      throws Exception {
    StockBindings.dispatch((Skeleton) skeleton, registry, call, operation, hash);
  }

  /** Whether a call of stock RMI's binds, and is yet to be counted. */
  public static boolean takesBind(Object registry, String name, Remote object) {
    return StockBindings.areToCount();
  }

  /** Counts it, and binds. */
  public static void bind(Object registry, String name, Remote object)
      throws RemoteException, AlreadyBoundException {
    StockBindings.counting().bind(name, object);
  }

  /** As for a new name. */
  public static boolean takesRebind(Object registry, String name, Remote object) {
    return StockBindings.areToCount();
  }

  /** As for a new name. */
  public static void rebind(Object registry, String name, Remote object) throws RemoteException {
    StockBindings.counting().rebind(name, object);
  }

  /** Whether a call of stock RMI's takes a name out of the count. */
  public static boolean takesUnbind(Object registry, String name) {
    return StockBindings.areToCount();
  }

  /** Takes the name out of the registry and the count. */
  public static void unbind(Object registry, String name)
      throws RemoteException, NotBoundException {
    StockBindings.counting().unbind(name);
  }

  /** Whether KaRMI itself exports something on stock RMI. */
  private static boolean isCounterpart(@Nullable RMIServerSocketFactory server) {
    return server instanceof PortSockets;
  }

  /** Whether KaRMI exports the object, and is not about to take it back on stock RMI, too. */
  public static boolean takesUnexport(Remote object, boolean force) {
    ServerRef entry = Exports.find(object);
    return entry != null && entry.isExported();
  }

  /** Ends an export. */
  public static boolean unexport(Remote object, boolean force) throws NoSuchObjectException {
    return Exports.unexport(object, force);
  }

  /** Whether KaRMI exports the object. */
  public static boolean takesToStub(Remote object) {
    return Exports.isExported(object);
  }

  /** The stub of an object that KaRMI exports. */
  public static Remote toStub(Remote object) throws NoSuchObjectException {
    ServerRef entry = Exports.find(object);
    if (entry == null) {
      throw new NoSuchObjectException("object not exported");
    }
    return entry.stub();
  }

  /** Whether a stream of stock RMI is about to write an object that KaRMI exports, or its stub. */
  public static boolean takesReplaceObject(Object stream, Object object) {
    return StoredForm.of(object) != null
        ? Node.current().stock().isOfCall(stream)
        : object instanceof Remote && Exports.isExported((Remote) object);
  }

  /**
   * The object that a stream of stock RMI writes in place of another one: in a call, the stub that
   * peers without KaRMI can call; elsewhere, one that any JVM reads.
   */
  public static Object replaceObject(Object stream, Object object) throws IOException {
    StockRuntime stock = Node.current().stock();
    boolean written = StoredForm.of(object) != null;
    Object stored = written ? object : StubTypes.storedForm(toStub((Remote) object));
    StoredForm form = StoredForm.of(stored);
    return form != null && stock.isOfCall(stream) ? form.formInStockCall(stock) : stored;
  }

  /**
   * Whether a stub of the JDK's that is being read may stand for one of KaRMI's: not in a call of
   * either runtime.
   */
  public static boolean takesReadObject(Object stub, ObjectInputStream in) {
    return StandIns.mayBe(stub, in) && OwnReference.REF != null;
  }

  /** Reads the reference of the stub. */
  public static void readObject(Object stub, ObjectInputStream in)
      throws IOException, ClassNotFoundException {
    OwnReference.set((RemoteObject) stub, StandIns.readReference(stub, in, Registries::stub));
  }

  /** Whether a stub of the JDK's is compared with one of KaRMI's. */
  public static boolean takesInvokeObjectMethod(
      Object handler, Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
    return arguments != null && arguments.length == 1 && arguments[0] instanceof Stub;
  }

  /** Whether both refer to one object. */
  public static Object invokeObjectMethod(
      Object handler, Object proxy, Method method, Object[] arguments) {
    return StandIns.areEqual((RemoteObject) handler, (Stub) arguments[0]);
  }

  /** Whether the current thread executes a call that came in through KaRMI. */
  public static boolean takesGetClientHost() {
    return CallContext.isActive();
  }

  /** The address of the client whose call the current thread executes. */
  public static String getClientHost() throws ServerNotActiveException {
    return CallContext.clientHost();
  }

  /** Always. */
  public static boolean takesCreateRegistry(int port) {
    return true;
  }

  /** Creates a registry in this JVM. */
  public static Registry createRegistry(int port) throws RemoteException {
    return Registries.create(port);
  }

  /** Whether KaRMI creates the registry; not if it is to have sockets of its own. */
  public static boolean takesCreateRegistry(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server) {
    return client == null && server == null;
  }

  /** Creates a registry in this JVM. */
  public static Registry createRegistry(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server)
      throws RemoteException {
    return Registries.create(port);
  }

  /** Whether KaRMI looks for the registry; not if there are sockets of their own for it. */
  public static boolean takesGetRegistry(
      @Nullable String host, int port, @Nullable RMIClientSocketFactory client) {
    return client == null;
  }

  /** The registry of a host at a port, whichever runtime serves it; it is not contacted. */
  public static Registry getRegistry(
      @Nullable String host, int port, @Nullable RMIClientSocketFactory client)
      throws RemoteException {
    return Registries.locate(host, port);
  }

  /** The {@code ref} of a remote object, which only its own class and package may set. */
  private static final class OwnReference {
    private static final @Nullable VarHandle REF = Privileged.get(OwnReference::find);

    private static @Nullable VarHandle find() {
      try {
        return MethodHandles.privateLookupIn(RemoteObject.class, MethodHandles.lookup())
            .findVarHandle(RemoteObject.class, "ref", RemoteRef.class);
      } catch (ReflectiveOperationException e) {
        LOG.log(
            Level.WARNING,
            "equals and hashCode of exported objects differ from their stubs';"
                + " open java.rmi/java.rmi.server to KaRMI",
            e);
        return null;
      }
    }

    static void set(RemoteObject object, RemoteRef reference) {
      if (REF != null) {
        REF.set(object, reference);
      }
    }
  }
}
