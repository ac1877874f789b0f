package io.karmi.wiring;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.interceptor.Message;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.messaging.Address;
import io.karmi.messaging.link.MessagingHost;
import io.karmi.reference.ClientRef;
import io.karmi.reference.InterfaceFilter;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.Technology;
import io.karmi.technology.WatchedCall;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.AccessException;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Messaging's view of this JVM's node. Messaging finds it by name. Thread-safe. */
public final class NodeMessagingHost implements MessagingHost {
  private final Node node = Node.current();
  private final @Nullable InterfaceFilter filter = InterfaceFilter.ofMessages(Address.class);

  /** For messaging. */
  public NodeMessagingHost() {}

  @Override
  public NodeId node() {
    return node.id();
  }

  @Override
  public void checkStarted() throws IOException {
    node.checkStarted();
  }

  @Override
  public RemoteTranslation translation() {
    return node.translation();
  }

  @Override
  public List<Technology> technologies() {
    return node.technologies();
  }

  @Override
  public TechnologyId[] listen() throws IOException {
    return node.listen();
  }

  @Override
  public void accept(PipeAcceptor acceptor) {
    node.accept(acceptor);
  }

  @Override
  public ObjectId objectId(Remote stub) {
    ServerRef exported = node.exported(stub);
    if (exported != null) {
      return exported.id();
    }
    Object holder = stub;
    if (Proxy.isProxyClass(stub.getClass())) {
      InvocationHandler handler = Proxy.getInvocationHandler(stub);
      holder = handler;
    }
    if (holder instanceof RemoteObject object && object.getRef() instanceof ClientRef reference) {
      return reference.id();
    }
    throw new IllegalArgumentException(
        stub.getClass().getName()
            + " is neither a stub of KaRMI's nor exported on KaRMI: was the program started with"
            + " -javaagent:karmi.jar, or its jar rewritten, at both ends? (docs/troubleshooting.md)");
  }

  @Override
  public ObjectId locate(String host, int port) {
    return node.locate(host, port, ObjectId.REGISTRY).id();
  }

  @Override
  public boolean isAuthorizing() {
    return node.isAuthorizing();
  }

  @Override
  public void authorize(Pipe from, boolean request) throws AccessException {
    node.authorizeMessage(from, request);
  }

  @Override
  public boolean isWatching() {
    return node.isWatching();
  }

  @Override
  public WatchedCall leaves(Class<?> type, boolean request, NodeId to) {
    return node.leaves(new Message(type, request, String.valueOf(to)));
  }

  @Override
  public WatchedCall came(Class<?> type, boolean request, String peer, Map<String, String> header) {
    return node.came(new Message(type, request, peer), header);
  }

  @Override
  public @Nullable ObjectInputFilter filter() {
    return filter;
  }

  @Override
  public void expect(Class<?> type) {
    if (filter != null) {
      filter.expect(type);
    }
  }

  @Override
  public boolean isExported(long number) {
    return node.exported(number) != null;
  }
}
