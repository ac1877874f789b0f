package io.karmi.stub;

import io.karmi.id.JrmpName;
import io.karmi.id.ObjectId;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.reference.StockRuntime;
import io.karmi.reference.StoredForm;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.server.RemoteRef;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reference in a stub of the JDK's that programs' streams in the JDK's format have in place of
 * one of KaRMI's.
 *
 * <p>It is written as stock RMI writes its own: any JVM reads it and calls the object over JRMP.
 * Behind that stands the {@link ObjectId}, which KaRMI reads: it has all networks of the object.
 * The JDK passes over what it does not read of an object. Immutable.
 */
public final class StandInRef implements StoredForm.StandIn {
  private static final long serialVersionUID = 1;

  /** Stock RMI's name of references that are an address and an id. */
  static final String NAME_IN_STREAMS = "UnicastRef";

  /** First byte of what follows the name in stock RMI, and of which an object id follows. */
  private static final int MARK = 'K';

  private final transient ClientRef reference;
  private final transient JrmpName name;
  private final transient @Nullable StoredForm form;

  /**
   * Makes the reference of a stub.
   *
   * @param form of the stub for which it stands; null for one of the interfaces of its own stub
   */
  public StandInRef(ClientRef reference, JrmpName name, @Nullable StoredForm form) {
    this.reference = reference;
    this.name = name;
    this.form = form;
  }

  /**
   * Reads what this class or stock RMI has written.
   *
   * @param ofStock reads itself if stock RMI was the writer
   * @param registries makes the stub of a registry; null if this is no registry's
   * @return {@code ofStock}, or a reference of this class
   */
  static RemoteRef read(
      ObjectInputStream in, RemoteRef ofStock, @Nullable Function<JrmpName, StoredForm> registries)
      throws IOException, ClassNotFoundException {
    JrmpName name = JrmpName.read(in);
    if (registries != null && name.isRegistry()) {
      Node node = Node.current();
      return new StandInRef(
          node.locate(name.host(), name.port(), ObjectId.REGISTRY), name, registries.apply(name));
    }
    if (in.read() != MARK) {
      ofStock.readExternal(streamOf(name));
      return ofStock;
    }
    ClientRef reference = Node.current().reference(readId(in));
    Node.current().translation().referencesArrived(List.of(reference));
    return new StandInRef(reference, name, null);
  }

  private static ObjectId readId(ObjectInputStream in) throws IOException {
    try {
      return ObjectId.read(in);
    } catch (IOException e) {
      throw StubTypes.invalid("stub without a readable object id", e);
    }
  }

  private static ObjectInputStream streamOf(JrmpName name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      name.write(out);
    }
    return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }

  @Override
  public ClientRef reference() {
    return reference;
  }

  @Override
  public StoredForm formOf(Remote standing) {
    if (form != null) {
      return form;
    }
    Class<?> type = standing.getClass();
    Stub named =
        new Stub(reference.forInterface(reference.remoteInterface(), type.getClassLoader()));
    named.withInterfaceNames(StubTypes.names(type.getInterfaces()));
    return new FormOfProxy(standing, named);
  }

  /** The form of a stub of the JDK's that a stream of the JDK's has read. */
  private record FormOfProxy(Remote proxy, Stub named) implements StoredForm {
    @Override
    public Object formInCall() {
      return named.form();
    }

    /** The proxy itself, which any JVM reads, for an object that has ended. */
    @Override
    public Object formInStockCall(StockRuntime stock) {
      try {
        return named.stockStub(stock);
      } catch (ObjectStreamException e) {
        return proxy;
      }
    }
  }

  @Override
  public String getRefClass(@Nullable ObjectOutput out) {
    return NAME_IN_STREAMS;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    name.write(out);
    out.writeByte(MARK);
    reference.id().write(out);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    throw new InvalidObjectException("is read as a reference of stock RMI");
  }

  @Override
  public @Nullable Object invoke(
      Remote stub, Method method, @Nullable Object @Nullable [] arguments, long methodHash)
      throws Exception {
    return reference.invoke(stub, method, arguments, methodHash);
  }

  @Override
  public int remoteHashCode() {
    return reference.remoteHashCode();
  }

  @Override
  public boolean remoteEquals(@Nullable RemoteRef other) {
    return reference.remoteEquals(other);
  }

  @Override
  public String remoteToString() {
    return reference.remoteToString();
  }
}
