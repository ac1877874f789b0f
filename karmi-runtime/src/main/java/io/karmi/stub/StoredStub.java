package io.karmi.stub;

import io.karmi.id.ObjectId;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.reference.StockRuntime;
import io.karmi.reference.StoredForm;
import io.karmi.uka.platform.ResolvesItself;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.rmi.Remote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stub in any object stream but those of calls: a file, a session, {@code MarshalledObject}, a
 * stock registry.
 *
 * <p>The interfaces are class objects in a plain field, so that the stream finds them in its own
 * way, as if no class of KaRMI were involved. It is {@link Remote}, and contains nothing but
 * arrays, classes and names, because the filter of stock registries lets nothing else pass.
 */
final class StoredStub implements Remote, Serializable, StoredForm, ResolvesItself {
  private static final long serialVersionUID = 1;

  private final transient Stub stub;

  /** Null if the stub has interfaces that are not known where it was written. */
  private final Class<?> @Nullable [] interfaces;

  /** The names of all interfaces, if they are not known. */
  private final String @Nullable [] interfaceNames;

  /** The {@link ObjectId}. */
  private final byte[] id;

  StoredStub(Stub stub) {
    this.stub = stub;
    boolean known = !stub.hasUnknownInterfaces();
    interfaces = known ? stub.getClass().getInterfaces() : null;
    interfaceNames = known ? null : stub.interfaceNames();
    id = bytes(stub.reference().id());
  }

  private static byte[] bytes(ObjectId id) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      id.write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot be full", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public Object formInCall() {
    return stub.form();
  }

  @Override
  public Object formInStockCall(StockRuntime stock) throws ObjectStreamException {
    return stub.stockStub(stock);
  }

  private Object readResolve() throws ObjectStreamException {
    return resolution();
  }

  @Override
  public Object resolution() throws ObjectStreamException {
    Class<?>[] known = interfaces == null ? new Class<?>[0] : interfaces.clone();
    for (Class<?> each : known) {
      StubTypes.checkRemote(each);
    }
    Node node = Node.current();
    ClientRef reference = node.reference(readId());
    node.translation().referencesArrived(List.of(reference));
    return StubTypes.makeStub(reference, interfaceNames, known);
  }

  private ObjectId readId() throws ObjectStreamException {
    try {
      return ObjectId.read(new DataInputStream(new ByteArrayInputStream(id)));
    } catch (IOException | NullPointerException e) {
      throw StubTypes.invalid("stub without a readable object id", e);
    }
  }
}
