package io.karmi.reference;

import io.karmi.dgc.CollectorProvider;
import io.karmi.dgc.ExportedObjects;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.interceptor.CallAuthorizer;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Message;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.reference.network.Bridges;
import io.karmi.reference.network.Bridging;
import io.karmi.reference.network.ListeningEnds;
import io.karmi.reference.network.Technologies;
import io.karmi.settings.SettingsInForce;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.PeerCalls;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import io.karmi.technology.WatchedCall;
import java.io.Closeable;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.rmi.AccessException;
import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.ExportException;
import java.rmi.server.RMISocketFactory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The runtime of a JVM: its name, its technologies, its exported objects and its collector.
 *
 * <p>There is one per JVM ({@link #current}); tests make more. Thread-safe.
 */
public final class Node extends HomeNode implements AutoCloseable {
  private static final long MAXIMUM_SHUTDOWN_MILLIS = TimeUnit.DAYS.toMillis(365);

  /** Time between two looks at the calls that run while the node ends. */
  private static final long LOOK_MILLIS = 25;

  /**
   * Looks in a row that must find no running call: a call that comes just then is refused, and its
   * reply leaves.
   */
  private static final int IDLE_LOOKS = 4;

  /**
   * The same while peers still have connections. Within this time they check the idle ones, and
   * close them since this node ends.
   */
  private static final int FAREWELL_LOOKS = 40;

  private final NodeId id = NodeId.random();
  private final NodeCallWatcher watching = new NodeCallWatcher();
  private final Technologies technologies = new Technologies();
  private final ListeningEnds ends = new ListeningEnds(technologies);
  private final Bridges bridges = new Bridges(id, technologies);
  private final Collectors collectors = new Collectors(this, technologies);
  private final ExportTable exports = new ExportTable();
  private final Exporter exporter = new Exporter(this, exports, ends);
  private final LoggedCalls logged = new LoggedCalls();
  private final Translation translation = new Translation(this, exports, collectors);
  private final Inspection inspection = new Inspection(this, technologies, exports, collectors);
  private final Dispatcher dispatcher;
  private final Routes routes;
  private volatile StockRuntime stock = new StockRuntime();

  /**
   * Makes a node without technologies.
   *
   * @param formats what it can marshal in, the preferred one first
   */
  public Node(List<CallFormat> formats) {
    dispatcher = new Dispatcher(this, formats, technologies, exporter, collectors, inspection);
    routes = new Routes(id, technologies, new LocalCalls(dispatcher, ends), watching);
  }

  /** The node of this JVM, which is wired by the runtime's root when it is first asked for. */
  public static Node current() {
    return (Node) ofJvm();
  }

  /** The node of this JVM if it has been asked for, else null. */
  public static @Nullable Node currentIfOpen() {
    return (Node) ofJvmIfOpen();
  }

  /** The node's name. */
  @Override
  public NodeId id() {
    return id;
  }

  /** The settings that were in force when the node was made. */
  public SettingsInForce settings() {
    return inspection.settings;
  }

  /** Has each export, lookup and call from now on fail, for a reason that it tells. */
  public void refuse(String reason) {
    technologies.refuse(reason);
  }

  /** Whether it has started, and refused no setting. */
  public boolean hasStarted() {
    return technologies.haveStarted();
  }

  /**
   * Checks that the node has started.
   *
   * @throws ExportException that says which setting it has refused
   */
  public void checkStarted() throws ExportException {
    technologies.checkStarted();
  }

  /** Where its technologies bring calls up. */
  public UpCall upCall() {
    return dispatcher;
  }

  /** How objects cross its border. */
  @Override
  public RemoteTranslation translation() {
    return translation;
  }

  /** Adds a technology; the one with the highest rank comes first. */
  public void add(Technology technology) {
    routes.add(technology);
  }

  /** The technologies that the node has, the one with the highest rank first. */
  public List<Technology> technologies() {
    return technologies.list();
  }

  /**
   * Listens at any port of each technology, for as long as the node lives, and not for an object.
   *
   * @throws IOException if no technology can
   */
  public TechnologyId[] listen() throws IOException {
    TechnologyId[] endpoints = ends.listen(0);
    ends.begin(endpoints);
    return endpoints;
  }

  /** Gives pipes that other nodes open to an acceptor; before, they are refused. */
  public void accept(PipeAcceptor acceptor) {
    dispatcher.accept(acceptor);
  }

  /**
   * Adds a strategy of garbage collection, before the first export. The first one added is used
   * where {@link #choose} says nothing else.
   */
  public void add(CollectorProvider provider) {
    collectors.add(provider, forCollector());
  }

  /** The exported objects as one more collector sees them. */
  public ExportedObjects forCollector() {
    return exporter.forCollector();
  }

  /**
   * Chooses the strategy for all that is reached through a technology.
   *
   * @throws IllegalArgumentException if there is no strategy of that name
   */
  public void choose(String technology, String strategy) {
    collectors.choose(technology, strategy);
  }

  /** Puts an interceptor around all calls, behind those that are there. */
  public void add(CallInterceptor interceptor) {
    watching.add(interceptor);
    routes.intercept();
  }

  /** Has calls of this node's objects authorized, by this one and by those that are there. */
  public void add(CallAuthorizer authorizer) {
    watching.add(authorizer);
  }

  /** Whether calls are authorized: then stock RMI, which does not ask, may serve no peer. */
  public boolean isAuthorizing() {
    return watching.authorizes();
  }

  /**
   * Decides about a message of another node before it is read.
   *
   * @param request whether it is to be answered
   * @throws AccessException if an authorizer refuses it
   */
  public void authorizeMessage(Pipe from, boolean request) throws AccessException {
    watching.authorizeMessage(id, from, request);
  }

  /** Whether interceptors are told of messages. */
  public boolean isWatching() {
    return watching.intercepts();
  }

  /** A message or request is about to leave; what this throws fails it. */
  public WatchedCall leaves(Message message) {
    return watching.leaves(message);
  }

  /** A message or request is about to be handled; what this throws is its outcome. */
  public WatchedCall came(Message message, Map<String, String> header) {
    return watching.came(message, header);
  }

  /**
   * Logs calls from now on, if a logger for them is turned on.
   *
   * @return false if none does; then it may be asked again later
   */
  public boolean logCallsIfWanted() {
    boolean wanted = logged.areWanted();
    if (wanted) {
      add(logged);
    }
    return wanted;
  }

  @Override
  NodeCallWatcher watching() {
    return watching;
  }

  /** Enables deadlines and forwarding of calls; cheap once they are enabled. */
  @Override
  public void limitCalls() {
    routes.limitCalls();
  }

  /** Gives every call a deadline, in milliseconds, unless something else gives it a sooner one. */
  public void limitCalls(long millis) {
    routes.limitCalls(millis);
  }

  /** Lets peers without KaRMI come in through stock RMI; called once, before the first export. */
  public void use(StockRuntime runtime) {
    stock = runtime;
  }

  /** Stock RMI beside this node. */
  @Override
  public StockRuntime stock() {
    return stock;
  }

  /** Lets nodes that have no common technology call each other through this one. */
  public void use(Bridging runtime) {
    bridges.use(runtime);
  }

  @Override
  Bridges bridges() {
    return bridges;
  }

  @Override
  @Nullable Credit leaving(long number, Object receiver) {
    return collectors.leaving(number, receiver);
  }

  @Override
  @Nullable Remote object(long number) {
    ServerRef entry = exported(number);
    return entry == null ? null : entry.target();
  }

  /**
   * Exports an object.
   *
   * @param port for technologies that have ports; 0 for any
   * @param filter what arguments may contain, or null
   * @return the entry, whose stub is made
   * @throws ExportException if it is exported already
   * @throws IOException if a technology cannot listen there
   */
  public ServerRef export(
      Remote object,
      Skeleton skeleton,
      StubFactory stubs,
      int port,
      @Nullable ObjectInputFilter filter)
      throws IOException {
    return exporter.export(object, skeleton, stubs, port, filter);
  }

  /**
   * Exports an object under a {@linkplain ObjectId#isWellKnown well-known} number of a port. It is
   * never collected and does not keep the JVM alive.
   *
   * @param made makes the object, given its TCP port (−1 if no technology has one)
   * @throws ExportException if the number is taken at that port
   * @throws IOException if a technology cannot listen there
   */
  public ServerRef exportWellKnown(
      long number,
      ObjectAtPort made,
      Skeleton skeleton,
      StubFactory stubs,
      int port,
      @Nullable ObjectInputFilter filter)
      throws IOException {
    return exporter.exportWellKnown(number, made, skeleton, stubs, port, filter);
  }

  /**
   * An entry for a well-known object of the node itself, which listens at no port of its own and is
   * in no table. Anyone may call it: its number is no secret.
   *
   * @param filter what arguments may contain
   */
  public ServerRef wellKnown(
      long number, Remote object, Skeleton skeleton, ObjectInputFilter filter) {
    return new ServerRef(
        this, new ObjectId(id, number), new WeakReference<>(object), skeleton, true, filter);
  }

  /** Counters of this node and its technologies, by name, for inspection. */
  public Map<String, Long> counters() {
    return inspection.counters();
  }

  /** The calls of each technology, by its name and by peer. */
  public Map<String, Collection<PeerCalls>> callsByPeer() {
    return inspection.callsByPeer();
  }

  /** One line for each exported object: number, class, interfaces, what keeps it alive. */
  public String[] describeObjects() {
    return inspection.describeObjects();
  }

  /**
   * Asks the node at a port for its counters and exported objects; only nodes of the same host
   * answer.
   */
  public String[] inspect(String host, int port) throws IOException {
    return inspection.ask(locate(host, port, ObjectId.INSPECTION).id());
  }

  /**
   * Asks the node at a port for its settings, and where they came from; only nodes of the same host
   * answer.
   */
  public String[] inspectSettings(String host, int port) throws IOException {
    return inspection.askForSettings(locate(host, port, ObjectId.INSPECTION).id());
  }

  /** The entry of an exported object, or null. */
  public @Nullable ServerRef exported(Remote object) {
    return exports.find(object);
  }

  /** The entry of the object that was exported under this number, or null. */
  public @Nullable ServerRef exported(long number) {
    return ObjectId.isWellKnown(number) ? null : exports.find(number);
  }

  /** All entries there are; what is exported meanwhile may be missing. */
  public Collection<ServerRef> exported() {
    return exports.all();
  }

  /**
   * Notes that a technology that was wanted is not there.
   *
   * @param reason for people
   */
  public void isMissing(String technology, String reason) {
    technologies.isMissing(technology, reason);
  }

  /** Why technologies that were wanted are not there, by name. */
  public Map<String, String> missing() {
    return technologies.missing();
  }

  /** Sockets as secure as this node's technologies; null if these secure nothing. */
  public @Nullable RMISocketFactory securedSockets() {
    return technologies.securedSockets();
  }

  /** The TCP port at which calls of an exported object come in; −1 if there is none. */
  public int port(ServerRef ref) {
    return ends.port(ref.id());
  }

  /** Where calls of an exported object come in that are made to a host and port. */
  public List<TechnologyId> addresses(ServerRef ref) {
    return ends.addressable(ref.id());
  }

  @Override
  public @Nullable InetSocketAddress address(ObjectId object) {
    return technologies.address(object);
  }

  /** Whether the node of this JVM listens at a port for an object; wires no node for the answer. */
  public static boolean isServing(int port) {
    Node node = (Node) ofJvmIfOpen();
    return node != null && node.exports.all().stream().anyMatch(ref -> node.port(ref) == port);
  }

  /**
   * Listens at a port until what is returned is closed, whether an object is exported there or not.
   */
  public Closeable listenAt(int port) throws IOException {
    TechnologyId[] endpoints = ends.listen(port);
    ends.begin(endpoints);
    return () -> ends.release(endpoints);
  }

  /**
   * Ends an export.
   *
   * @param force even while calls to the object are running
   * @return false if calls are running and {@code force} is not set; then nothing has changed
   * @throws NoSuchObjectException if the object is not exported
   */
  public boolean unexport(Remote object, boolean force) throws NoSuchObjectException {
    return exporter.unexport(object, force);
  }

  @Override
  void callEnded(ServerRef ref) {
    exporter.callEnded(ref);
  }

  /** A reference to an object of another node, made from its name; a stub is made around it. */
  public ClientRef reference(ObjectId object) {
    return new ClientRef(this, object, RemoteInterface.NONE);
  }

  /**
   * A reference to the object with a well-known number at a host and port; nothing is contacted.
   */
  public ClientRef locate(String host, int port, long wellKnownNumber) {
    return reference(
        new ObjectId(NodeId.UNKNOWN, wellKnownNumber, technologies.locate(host, port)));
  }

  @Override
  ApplicationCalls route(ObjectId target) throws ConnectException {
    return routes.to(target);
  }

  /**
   * Checks that a technology of this node reaches an object of another one; nothing is contacted.
   *
   * @throws ConnectException if there is none
   */
  void requireWay(ObjectId target) throws ConnectException {
    technologies.require(target);
  }

  /** The entry of an object of this node, or null. */
  public @Nullable ServerRef find(ObjectId object) {
    return exporter.find(object);
  }

  /**
   * Ends the node in good order: calls of others that come from now on are refused, those that run
   * may end within a time, as may messages that are under way, and then all is {@linkplain #close
   * closed}.
   *
   * @return whether all have ended in time
   */
  public boolean shutDown(long millis) throws InterruptedException {
    if (CallContext.caller() != null) {
      throw new IllegalStateException(
          "a remote method, or a handler of messages, cannot wait for its own end: shut down in"
              + " another thread");
    }
    dispatcher.refuse();
    long end = System.nanoTime() + Math.min(millis, MAXIMUM_SHUTDOWN_MILLIS) * 1_000_000;
    technologies.forEach(Technology::drain);
    dispatcher.drainMessages();
    int idleLooks = 0;
    while (idleLooks < (isLeft() ? IDLE_LOOKS : FAREWELL_LOOKS) && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_MILLIS);
      int running = technologies.list().stream().mapToInt(Technology::runningCalls).sum();
      idleLooks = running == 0 && dispatcher.isDrained() ? idleLooks + 1 : 0;
    }
    dispatcher.closeMessages();
    close();
    return idleLooks >= IDLE_LOOKS;
  }

  private boolean isLeft() {
    return technologies.list().stream().allMatch(Technology::isLeft);
  }

  /** Stops listening, closes all connections, and ends the node's threads. */
  @Override
  public void close() {
    collectors.close();
    for (Technology technology : technologies) {
      technology.close();
    }
    exporter.close();
  }
}
