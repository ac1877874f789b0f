package io.karmi.stub;

import io.karmi.id.JrmpName;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.reference.StockRuntime;
import io.karmi.uka.platform.ReplacesItself;
import java.io.ObjectStreamException;
import java.rmi.Remote;
import java.rmi.UnexpectedException;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteStub;
import org.jspecify.annotations.Nullable;

/**
 * Common base of all stubs; the generated subclasses add the remote methods.
 *
 * <p>Stubs of one object are equal wherever they come from. A stub without methods is for an object
 * whose interfaces are unknown here: a registry can still keep and forward it. Thread-safe.
 */
@SuppressWarnings("deprecation") // RemoteStub still is what exportObject(Remote) returns
public class Stub extends RemoteStub implements ReplacesItself {
  private static final long serialVersionUID = 1;

  /**
   * The reference that is called; the same as {@code ref}, without a cast on the path of a call.
   */
  protected final transient ClientRef reference;

  /** The names of all interfaces where not all are known here; null when the class has them all. */
  private transient String @Nullable [] interfaceNames;

  private transient volatile @Nullable Remote stockStub;
  private transient volatile @Nullable StubForm form;

  /** A stub that calls through the reference. */
  public Stub(ClientRef reference) {
    super(reference);
    this.reference = reference;
  }

  /** Called by generated stubs for an exception that no declaration allows. */
  protected static UnexpectedException unexpected(Exception exception) {
    return new UnexpectedException("unexpected exception", exception);
  }

  ClientRef reference() {
    return reference;
  }

  /** Remembers interfaces that the object has and this class does not. */
  void withInterfaceNames(String[] names) {
    interfaceNames = names;
  }

  /** True if the object has interfaces that this class does not. */
  boolean hasUnknownInterfaces() {
    return interfaceNames != null;
  }

  /** The names of the object's remote interfaces. */
  String[] interfaceNames() {
    return interfaceNames != null ? interfaceNames : StubTypes.names(getClass().getInterfaces());
  }

  /**
   * What calls contain in its place. It is kept: a call that contains an exported object and its
   * stub contains one object, as with stock RMI.
   */
  StubForm form() {
    StubForm known = form;
    if (known == null) {
      known = new StubForm(this);
      form = known;
    }
    return known;
  }

  /** The object that is written in place of a stub. The streams of calls replace it once more. */
  @Override
  public final Object replacement(Format format) {
    return format == Format.OF_JDK ? forAnyReader() : new StoredStub(this);
  }

  /** For the JDK's streams; in a call of stock RMI, the stub that its node has there. */
  protected Object writeReplace() throws ObjectStreamException {
    StockRuntime stock = Node.current().stock();
    return stock.isWritingCall() ? stockStub(stock) : forAnyReader();
  }

  /** A stub that any JVM reads, if the object has a name in stock RMI that is known here. */
  Remote forAnyReader() {
    StoredStub stored = new StoredStub(this);
    Remote named = named(Node.current().stock().name(reference.id()), stored);
    return named == null ? stored : named;
  }

  private @Nullable Remote named(@Nullable JrmpName name, StoredStub stored) {
    Class<?>[] interfaces = getClass().getInterfaces();
    return name == null || hasUnknownInterfaces() || interfaces.length == 0
        ? null
        : StubTypes.proxy(
            interfaces, new RemoteObjectInvocationHandler(new StandInRef(reference, name, stored)));
  }

  /**
   * The stub that peers without KaRMI are given; kept, because the object's node may be asked.
   *
   * <p>An object that has ended is named, too, as stock RMI names it: its stub is found, and the
   * call of it fails. Otherwise a stub that nobody calls would fail all that comes with it.
   */
  Remote stockStub(StockRuntime stock) throws ObjectStreamException {
    Remote known = stockStub;
    if (known == null) {
      try {
        known = stock.stockStub(reference);
      } catch (ObjectStreamException e) {
        Remote ended = named(stock.nameOfEnded(reference.id()), new StoredStub(this));
        if (ended == null) {
          throw e;
        }
        return ended;
      }
      stockStub = known;
    }
    return known;
  }

  /** As a stub of java.rmi prints: {@code Proxy[Clock,RemoteObjectInvocationHandler[…]]}. */
  @Override
  public String toString() {
    String[] names = interfaceNames();
    String name = names.length == 0 ? "java.rmi.Remote" : names[0];
    if (names.length > 1 && name.equals("java.rmi.Remote")) {
      name = names[1];
    }
    return "Proxy["
        + name.substring(name.lastIndexOf('.') + 1)
        + ",RemoteObjectInvocationHandler["
        + reference.remoteToString()
        + "]]";
  }
}
