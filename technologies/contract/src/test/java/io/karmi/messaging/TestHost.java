package io.karmi.messaging;

import io.karmi.contract.Callee;
import io.karmi.contract.LoopbackTechnology;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.interceptor.Message;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.messaging.link.MessagingHost;
import io.karmi.reference.Node;
import io.karmi.technology.InCall;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import io.karmi.technology.WatchedCall;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node that only takes messages, over the loopback technology or another one. */
final class TestHost implements MessagingHost, UpCall {
  private final Callee node = new Callee((call, in, out) -> in.endArguments());
  private final Technology technology;

  /** Names of classes that this node does not find. */
  final Set<String> missing = ConcurrentHashMap.newKeySet();

  /** What messages to this node may contain, or null for anything. */
  volatile @Nullable ObjectInputFilter filter;

  /** Refuses messages, as an authorizer does; null for none. */
  volatile @Nullable BiPredicate<Pipe, Boolean> authorizer;

  /** Tells interceptors of messages; null for none. */
  volatile @Nullable Node watcher;

  /** The id that this node says it has; null for its own. */
  private final @Nullable NodeId claimed;

  private volatile PipeAcceptor acceptor;
  final NodeMessaging messaging;

  TestHost(Map<String, String> properties) {
    this(properties, LoopbackTechnology::new);
  }

  TestHost(Map<String, String> properties, Function<UpCall, Technology> technologies) {
    this(properties, technologies, null);
  }

  /** A node that claims to be another one. */
  TestHost(
      Map<String, String> properties,
      Function<UpCall, Technology> technologies,
      @Nullable NodeId claimed) {
    this.claimed = claimed;
    technology = technologies.apply(this);
    messaging = new NodeMessaging(this, new MessagingSettings(properties::get));
  }

  @Override
  public NodeId node() {
    NodeId other = claimed;
    return other != null ? other : node.node();
  }

  @Override
  public RemoteTranslation translation() {
    return new Choosy(node.translation());
  }

  @Override
  public List<CallFormat> formats() {
    return node.formats();
  }

  @Override
  public void doApplicationCall(InCall call) throws IOException {
    node.doApplicationCall(call);
  }

  @Override
  public boolean takesMessages() {
    return true;
  }

  /** Weakly, as a pipe of memory may lead to a thread, and so to a link, that has ended. */
  private final Set<Pipe> accepted =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  @Override
  public void accept(Pipe pipe) {
    accepted.add(pipe);
    acceptor.accept(pipe);
  }

  /** Closes the pipes that others have opened, as if the network had failed. */
  void breakPipes() {
    List.copyOf(accepted).forEach(Pipe::close);
  }

  /** The node begins to end. */
  void drain() {
    acceptor.drain();
  }

  /** The node has ended. */
  void shutDown() {
    acceptor.close();
  }

  boolean isDrained() {
    return acceptor.isDrained();
  }

  int openLinks() {
    return messaging.openLinks();
  }

  @Override
  public List<Technology> technologies() {
    return List.of(technology);
  }

  @Override
  public TechnologyId[] listen() throws IOException {
    return new TechnologyId[] {technology.listen(0)};
  }

  @Override
  public void accept(PipeAcceptor takes) {
    acceptor = takes;
  }

  @Override
  public ObjectId objectId(Remote stub) {
    throw new IllegalArgumentException("no stubs here");
  }

  @Override
  public ObjectId locate(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isAuthorizing() {
    return authorizer != null;
  }

  @Override
  public void authorize(Pipe from, boolean request) throws AccessException {
    BiPredicate<Pipe, Boolean> asked = authorizer;
    if (asked != null && !asked.test(from, request)) {
      throw new AccessException("not from " + from.remote());
    }
  }

  @Override
  public boolean isWatching() {
    return watcher != null;
  }

  @Override
  public WatchedCall leaves(Class<?> type, boolean request, NodeId to) {
    return watcher.leaves(new Message(type, request, String.valueOf(to)));
  }

  @Override
  public WatchedCall came(Class<?> type, boolean request, String peer, Map<String, String> header) {
    return watcher.came(new Message(type, request, peer), header);
  }

  @Override
  public @Nullable ObjectInputFilter filter() {
    return null;
  }

  @Override
  public void expect(Class<?> type) {}

  @Override
  public boolean isExported(long number) {
    return false;
  }

  Technology technology() {
    return technology;
  }

  /** Does not find some classes, and has a filter. */
  private final class Choosy implements RemoteTranslation {
    private final RemoteTranslation all;

    Choosy(RemoteTranslation all) {
      this.all = all;
    }

    @Override
    public Object toStub(Object object) {
      return all.toStub(object);
    }

    @Override
    public Class<?> resolveClass(String name, @Nullable ClassLoader loader)
        throws ClassNotFoundException {
      if (missing.contains(name)) {
        throw new ClassNotFoundException(name);
      }
      return all.resolveClass(name, loader);
    }

    @Override
    public Class<?> resolveProxyClass(String[] names, @Nullable ClassLoader loader)
        throws ClassNotFoundException {
      return all.resolveProxyClass(names, loader);
    }

    @Override
    public void referencesArrived(List<Object> references) {
      all.referencesArrived(references);
    }

    @Override
    public @Nullable ObjectInputFilter defaultFilter() {
      return filter;
    }
  }
}
