package io.karmi.messaging;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.PlainTranslation;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.marshal.UkaFormat;
import io.karmi.messaging.link.LinkSelector;
import io.karmi.messaging.link.MemoryPipe;
import io.karmi.messaging.link.MessagingHost;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.Pipes;
import io.karmi.technology.Technology;
import java.io.Closeable;
import java.io.ObjectInputFilter;
import java.rmi.AccessException;
import java.rmi.ConnectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Network of nodes in this JVM that send each other messages through memory. It is for tests of
 * programs that are made of many nodes, and for measuring messaging without a network.
 *
 * <p>Messages are marshalled, held back by windows and handled as over any network. Remote objects
 * do not travel in them as stubs, and nothing is authorized. Nodes of other networks, and other
 * JVMs, are not reached. A network keeps a node until its messaging is closed. Thread-safe.
 */
public final class MemoryNetwork {
  private static final String NAME = "memory";

  private final ConcurrentMap<String, Node> nodes = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /** One for all nodes. */
  private final LinkSelector selector = new LinkSelector();

  /** Makes a network without nodes. */
  public MemoryNetwork() {}

  /**
   * Adds a node, with the settings of this JVM's messaging, and returns its messaging, which the
   * caller closes.
   */
  public Messaging newNode() {
    Node node = new Node(new Way());
    nodes.put(node.way.id.address(), node);
    return new NodeMessaging(node, new MessagingSettings());
  }

  /** The technology of a node of this network. Carries no calls. */
  private final class Way extends Technology implements Pipes {
    final NodeId node = NodeId.random();
    final TechnologyId id = new TechnologyId(NAME, Integer.toString(count.incrementAndGet()));
    private final CallFormat format = new UkaFormat();

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public int rank() {
      return 0;
    }

    @Override
    public TechnologyId listen(int port) {
      return id;
    }

    @Override
    public void release(TechnologyId endpoint) {}

    @Override
    public boolean reaches(TechnologyId other) {
      return other.technology().equals(NAME);
    }

    @Override
    public Pipe open(NodeId expected, TechnologyId way, long key) throws RemoteException {
      Node to = nodes.get(way.address());
      if (to == null || expected != NodeId.UNKNOWN && !expected.equals(to.node())) {
        throw new ConnectException("no node " + expected + " at " + way + " in this network");
      }
      MemoryPipe[] ends = MemoryPipe.open(node, to.node(), format, key);
      to.accept(ends[1]);
      return ends[0];
    }

    @Override
    protected CallInput exchange(
        ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
        throws RemoteException {
      throw new ConnectException("a network of memory carries messages only, no calls");
    }

    @Override
    protected Closeable line(
        ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
        throws RemoteException {
      throw new ConnectException("a network of memory carries messages only, no calls");
    }

    @Override
    public void close() {}
  }

  /** A node of this network, as its messaging sees it. */
  private final class Node implements MessagingHost {
    final Way way;
    private final RemoteTranslation translation = new PlainTranslation(null);
    private volatile @Nullable PipeAcceptor acceptor;

    Node(Way way) {
      this.way = way;
    }

    void accept(Pipe pipe) {
      PipeAcceptor taken = acceptor;
      if (taken == null) {
        pipe.close();
      } else {
        taken.accept(pipe);
      }
    }

    @Override
    public NodeId node() {
      return way.node;
    }

    @Override
    public RemoteTranslation translation() {
      return translation;
    }

    @Override
    public List<Technology> technologies() {
      return List.of(way);
    }

    @Override
    public TechnologyId[] listen() {
      return new TechnologyId[] {way.id};
    }

    @Override
    public void accept(PipeAcceptor takes) {
      acceptor = takes;
    }

    @Override
    public ObjectId objectId(Remote stub) {
      throw new IllegalArgumentException("a stub leads to no node of a network of memory");
    }

    @Override
    public ObjectId locate(String host, int port) {
      throw new IllegalArgumentException("nodes of a network of memory are at no port");
    }

    @Override
    public boolean isAuthorizing() {
      return false;
    }

    @Override
    public void authorize(Pipe from, boolean request) throws AccessException {}

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

    @Override
    public LinkSelector selector() {
      return selector;
    }

    @Override
    public void messagingClosed() {
      nodes.remove(way.id.address());
    }
  }
}
