package io.karmi.messaging;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.messaging.channel.ChannelGraph;
import io.karmi.messaging.channel.ChannelMessage;
import io.karmi.messaging.channel.GraphFailure;
import io.karmi.messaging.frame.ArrayPool;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.link.Counts;
import io.karmi.messaging.link.HostOfNode;
import io.karmi.messaging.link.LinkSelector;
import io.karmi.messaging.link.MessagingHost;
import io.karmi.messaging.link.MessagingLog;
import io.karmi.ring.RingPagePool;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.RuntimeThread;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.ServiceThread;
import io.karmi.technology.WatchedCall;
import io.karmi.technology.Workers;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.rmi.AccessException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The messaging of one node. Thread-safe. */
final class NodeMessaging implements Messaging, LinkOwner {
  private static final System.Logger LOG = MessagingLog.LOG;

  /** Threads that end links which have to give way: the network may keep them waiting. */
  private static final int CLOSING_THREADS = 4;

  private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final MessagingHost host;
  private final MessagingSettings settings;
  private final Counts counts = new Counts();
  private final PendingRequests requests;
  private final Delivery delivery;
  private final Handlers handlers;
  private final LinkSelector selector;
  private final LinkTable links;
  private final LinkOpener opener;
  private final LinkUpkeep keeper;
  private final ServiceThread upkeep;

  private final Workers workers = new Workers("KaRMI Messages Closing", CLOSING_THREADS);

  private final RingPagePool pages = new RingPagePool();
  private final ArrayPool arrays = new ArrayPool();
  private final List<Consumer<Address>> lostListeners = new CopyOnWriteArrayList<>();
  private @Nullable Address address;

  /** Null until a channel is opened or taken. */
  private volatile @Nullable MessageChannels channels;

  private volatile @Nullable ClassLoader loader;

  NodeMessaging(MessagingHost host, MessagingSettings settings) {
    this.host = host;
    this.settings = settings;
    LinkSelector shared = host.selector();
    selector = shared == null ? new LinkSelector() : shared;
    links = new LinkTable(settings.maximumAccepted);
    requests = new PendingRequests(settings.requestTimeoutMillis);
    delivery = new Delivery(requests, counts, host, this::dropped);
    handlers = new Handlers(this, settings.handlers, settings.maximumHandlers);
    opener = new LinkOpener(this, host, links, delivery, this::ensureUpkeep);
    keeper = new LinkUpkeep(this, host, links, requests, opener);
    upkeep = new ServiceThread("KaRMI Messages Upkeep", true, keeper::awaitRound, keeper::round);
    host.accept(new Acceptor());
  }

  private void ensureUpkeep() {
    upkeep.ensureRunning();
  }

  /** Messaging as its node sees it. */
  private final class Acceptor implements PipeAcceptor {
    @Override
    public void accept(Pipe pipe) {
      opener.accept(pipe);
    }

    @Override
    public void drain() {
      opener.drain();
      upkeep.ensureRunning();
    }

    @Override
    public boolean isDrained() {
      return links.all.isEmpty() && handlers.isIdle();
    }

    @Override
    public void close() {
      String why = "this node was shut down";
      opener.close();
      endLinks(why);
      MessageChannels known = channels;
      if (known != null) {
        known.end(why);
      }
    }
  }

  private static final class OfThisNode {
    static final NodeMessaging MESSAGING =
        new NodeMessaging(HostOfNode.get(), new MessagingSettings());
  }

  /**
   * The messaging of this JVM's node.
   *
   * @throws IllegalStateException if the node has not started, which says why; each time
   */
  static Messaging ofThisNode() {
    try {
      HostOfNode.get().checkStarted();
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    return OfThisNode.MESSAGING;
  }

  @Override
  public MessagingSettings settings() {
    return settings;
  }

  @Override
  public RemoteTranslation translation() {
    return host.translation();
  }

  @Override
  public Handlers handlers() {
    return handlers;
  }

  @Override
  public LinkSelector selector() {
    return selector;
  }

  @Override
  public Counts counts() {
    return counts;
  }

  @Override
  public RingPagePool pages() {
    return pages;
  }

  @Override
  public ArrayPool arrays() {
    return arrays;
  }

  @Override
  public @Nullable ClassLoader loader() {
    return loader;
  }

  @Override
  public synchronized Address address() {
    Address known = address;
    if (known == null) {
      try {
        known = new Address(new ObjectId(host.node(), opener.key, host.listen()));
      } catch (IOException e) {
        throw new IllegalStateException("this node cannot listen for messages", e);
      }
      address = known;
    }
    return known;
  }

  @Override
  @SuppressWarnings("unchecked") // it is called with objects of the class only
  public <M extends Serializable> Registration receive(
      Class<M> type, Receiver<? super M> receiver) {
    use(type);
    return delivery.receivers.add(type, (Receiver<Object>) Objects.requireNonNull(receiver));
  }

  @Override
  @SuppressWarnings("unchecked") // it is called with objects of the class only
  public <Q extends Serializable, R> Registration answer(
      Class<Q> type, Answerer<? super Q, ? extends R> answerer) {
    use(type);
    return delivery.answerers.add(type, (Answerer<Object, ?>) Objects.requireNonNull(answerer));
  }

  @Override
  public synchronized List<String> ownWays() {
    Address known = address;
    return known == null
        ? List.of()
        : Stream.of(LinkOpener.waysOf(known.object())).map(TechnologyId::toString).toList();
  }

  private void use(Class<?> type) {
    host.expect(type);
    if (type.getClassLoader() != null) {
      loader = type.getClassLoader();
    }
    address(); // who receives listens
  }

  @Override
  public ObjectChannel openChannel(Address to, String name) throws RemoteException {
    Objects.requireNonNull(to);
    Objects.requireNonNull(name);
    MessageChannels opening = channels();
    if (loader == null) {
      loader = Thread.currentThread().getContextClassLoader();
    }
    return opening.open(to, name);
  }

  @Override
  public Registration onChannel(String name, ChannelHandler handler) {
    MessageChannels taking = channels();
    if (handler.getClass().getClassLoader() != null) {
      loader = handler.getClass().getClassLoader();
    }
    return taking.add(Objects.requireNonNull(name), handler);
  }

  private synchronized MessageChannels channels() {
    MessageChannels known = channels;
    if (known == null) {
      address(); // the other ends send there
      known = new MessageChannels(this, settings);
      MessageChannels made = known;
      receiveOwn(ChannelGraph.class, made::arrived);
      receiveOwn(ChannelMessage.Ask.class, made::arrived);
      receiveOwn(ChannelMessage.State.class, made::arrived);
      receiveOwn(ChannelMessage.Gone.class, made::arrived);
      receiveOwn(ChannelMessage.End.class, made::arrived);
      host.expect(ChannelMessage.Opened.class);
      host.expect(ChannelMessage.Open.class);
      delivery.answerers.add(
          ChannelMessage.Open.class,
          (request, from) -> made.take((ChannelMessage.Open) request, from));
      channels = made;
    }
    return known;
  }

  /**
   * Registers a class of messages of the runtime: programs' classes are not found by its loader.
   */
  @SuppressWarnings("unchecked") // it is called with objects of the class only
  private <M> void receiveOwn(Class<M> type, Receiver<M> receiver) {
    host.expect(type);
    delivery.receivers.add(type, (Receiver<Object>) receiver);
  }

  /** A message was dropped that a link has brought. */
  private void dropped(Address from, GraphFailure why) {
    MessageChannels known = channels;
    if (known != null) {
      known.dropped(from, why);
    }
  }

  @Override
  public void send(Serializable message, Address... to) throws RemoteException {
    send(message, to, false);
  }

  @Override
  public void sendOrdered(Serializable message, Address... to) throws RemoteException {
    send(message, to, true);
  }

  private void send(Serializable message, Address[] to, boolean ordered) throws RemoteException {
    Objects.requireNonNull(message, "a message is an object");
    Object sent = to.length > 1 ? new SharedMessage(message) : message;
    for (Address each : to) {
      send(message.getClass(), sent, each, ordered, true);
    }
  }

  @Override
  public boolean trySend(Serializable message, Address to) throws RemoteException {
    Objects.requireNonNull(message, "a message is an object");
    return send(message.getClass(), message, to, false, false);
  }

  /** As {@link #sendOrdered}, but sends nothing where that would wait, as {@link #trySend}. */
  boolean trySendOrdered(Serializable message, Address to) throws RemoteException {
    return send(message.getClass(), message, to, true, false);
  }

  private boolean send(Class<?> type, Object message, Address to, boolean ordered, boolean mayWait)
      throws RemoteException {
    if (!host.isWatching()) {
      return send(message, null, to, ordered, mayWait);
    }
    WatchedCall watched = host.leaves(type, false, to.node());
    boolean sent;
    try {
      sent = send(message, watched.header(), to, ordered, mayWait);
    } catch (RemoteException | RuntimeException | Error e) {
      watched.ended(e);
      throw e;
    }
    if (sent) {
      watched.ended(null);
    }
    return sent;
  }

  private boolean send(
      Object message,
      @Nullable Map<String, String> header,
      Address to,
      boolean ordered,
      boolean mayWait)
      throws RemoteException {
    while (true) {
      Link link = links.get(to, ordered, mayWait, opener);
      if (link == null) {
        return false;
      }
      LinkSender.Sent sent =
          link.sender.send(message, MessageFrame.MESSAGE, 0, header, ordered, mayWait);
      if (sent != LinkSender.Sent.LINK_LEAVES) {
        if (sent == LinkSender.Sent.YES) {
          counts.sent.increment();
        }
        return sent == LinkSender.Sent.YES;
      }
      links.forget(link);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the program says what it expects
  public <R> CompletableFuture<R> request(Serializable request, Address to) {
    Objects.requireNonNull(request, "a request is an object");
    counts.requests.increment();
    WatchedCall watched =
        host.isWatching() ? host.leaves(request.getClass(), true, to.node()) : null;
    try {
      return (CompletableFuture<R>) request(request, to, watched);
    } catch (RemoteException e) {
      if (watched != null) {
        watched.ended(e);
      }
      return CompletableFuture.failedFuture(e);
    } catch (RuntimeException | Error e) {
      if (watched != null) {
        watched.ended(e);
      }
      throw e;
    }
  }

  private PendingRequests.Pending request(
      Serializable request, Address to, @Nullable WatchedCall watched) throws RemoteException {
    Map<String, String> header = watched == null ? null : watched.header();
    while (true) {
      Link link = Objects.requireNonNull(links.get(to, false, true, opener));
      PendingRequests.Pending pending = requests.add(link, watched);
      boolean sent = false;
      try {
        sent =
            link.sender.send(request, MessageFrame.REQUEST, pending.number, header, false, true)
                == LinkSender.Sent.YES;
      } finally {
        if (!sent) {
          pending.takeWatched(); // told by the caller, or by the next attempt
          pending.cancel(false);
        }
      }
      if (sent) {
        link.input.recallReader();
        if (link.isLost()) {
          pending.completeExceptionally(lost(link));
        }
        return pending;
      }
      links.forget(link);
    }
  }

  private static RemoteException lost(Link link) {
    Throwable why = link.lostBecause();
    return new UnmarshalException(
        "the connection to " + link.address + " was lost; the request may have been handled",
        why instanceof Exception ? (Exception) why : null);
  }

  /** Links that this node has opened or is about to, until they have ended. */
  int openedLinks() {
    return opener.opened();
  }

  int openLinks() {
    return links.all.size();
  }

  /** Bytes that links hold for messages that come and go, and what is kept for them. */
  long heldBytes() {
    return links.all.stream().mapToLong(Link::heldBytes).sum() + arrays.freeBytes();
  }

  /** Whether all messages have been handed to the networks, for tests. */
  boolean hasSentAll() {
    return links.all.stream().allMatch(link -> link.output.isDrained());
  }

  int receiveBuffers() {
    return links.all.stream().mapToInt(link -> link.input.buffers()).sum();
  }

  @Override
  public void forget(Link link) {
    links.forget(link);
    if (keeper.owesGoodbye(link)) {
      link.farewell.sayIf(() -> true);
    }
    upkeep.ensureRunning();
  }

  @Override
  public void execute(Runnable work) {
    workers.execute(work);
  }

  @Override
  public void ended(Link link, Throwable because, boolean inOrder) {
    MessageChannels known = channels;
    Set<Object> destinations = known != null ? links.destinations(link) : Set.of();
    boolean lost = links.remove(link);
    boolean unexpectedly = requests.failAll(link, lost(link)) || !inOrder;
    if (known != null && unexpectedly) {
      known.lost(destinations, because);
    }
    if (unexpectedly && !opener.isClosed()) {
      counts.linksLost.increment();
      LOG.log(System.Logger.Level.DEBUG, "the connection to " + link.address + " ended", because);
      if (lost && link.twin.isProven()) {
        links.lossKnown(link.pipe.remote());
      }
      if (lost && !lostListeners.isEmpty()) {
        RuntimeThreads.start("KaRMI Messages Lost", () -> tellLost(link.address), true);
      }
    }
  }

  private void tellLost(Address lost) {
    for (Consumer<Address> listener : lostListeners) {
      try {
        listener.accept(lost);
      } catch (RuntimeException | Error e) {
        LOG.log(System.Logger.Level.WARNING, "a listener for lost nodes has failed", e);
      }
    }
  }

  @Override
  public Registration onLost(Consumer<Address> listener) {
    Consumer<Address> own = listener::accept; // one for each registration
    lostListeners.add(own);
    return () -> lostListeners.remove(own);
  }

  @Override
  public Map<String, Long> counters() {
    return counts.all();
  }

  @Override
  public @Nullable AccessException refusal(Pipe from, boolean request) {
    if (host.isAuthorizing()) {
      try {
        host.authorize(from, request);
      } catch (AccessException e) {
        return e;
      }
    }
    return null;
  }

  @Override
  public boolean awaits(long number, Link link) {
    return delivery.awaits(number, link);
  }

  @Override
  public void deliver(Link link, Incoming message) {
    delivery.deliver(link, message);
  }

  @Override
  public @Nullable Thread waitingAlone(Link link, long request) {
    if (link.sender.requests.get() != 1) {
      return null;
    }
    PendingRequests.Pending pending = requests.find(request, link);
    return pending == null ? null : pending.waiter();
  }

  @Override
  public void relieveReaders() {
    long now = System.nanoTime();
    for (Link link : links.all) {
      if (link.input.isStuck(now)) {
        link.input.relieve();
      }
    }
  }

  @Override
  public void close() {
    MessageChannels known = channels;
    if (known != null) {
      known.close();
    }
    opener.close();
    host.messagingClosed();
    long end = System.nanoTime() + CLOSING_NANOS;
    boolean interrupted = false;
    try {
      for (Link link : links.all) {
        keeper.leave(link, end);
      }
      boolean handling =
          RuntimeThread.sender() != null; // this thread, which cannot wait for itself
      while (!(links.all.isEmpty() && (handling || handlers.isIdle()))
          && System.nanoTime() - end < 0) {
        Thread.sleep(10);
        links.all.forEach(link -> link.farewell.endIfOver());
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    endLinks("messaging of this node was closed");
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void endLinks(String why) {
    for (Link link : links.all) {
      link.drop(new EOFException(why));
    }
    handlers.close();
    upkeep.stop();
  }
}
