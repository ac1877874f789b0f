package io.karmi.stub;

import io.karmi.id.JrmpName;
import io.karmi.marshal.CallObjectInput;
import io.karmi.reference.StoredForm;
import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.platform.JdkStubs;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reading of the JDK's stubs that {@linkplain StandInRef stand for} KaRMI's: in all streams they
 * call by KaRMI's ways, and in programs' streams KaRMI's stubs take their place.
 */
public final class StandIns {
  private static final String CALL_OF_STOCK = "sun.rmi.transport.ConnectionInputStream";
  private static final String REGISTRY = "sun.rmi.registry.RegistryImpl_Stub";

  static {
    JdkStubs.resolveBy(StandIns::resolution);
  }

  private StandIns() {}

  /** Whether a stub that is being read may be one. */
  public static boolean mayBe(Object stub, ObjectInputStream in) {
    return (stub instanceof RemoteObjectInvocationHandler
            || isRegistry(stub) && in instanceof UkaObjectInputStream)
        && !(in instanceof CallObjectInput)
        && !in.getClass().getName().equals(CALL_OF_STOCK);
  }

  /** The JDK's own stub of a registry calls in a way that only stock RMI's reference knows. */
  private static boolean isRegistry(Object stub) {
    return stub.getClass().getName().equals(REGISTRY);
  }

  /**
   * Reads the reference of a stub, as {@code RemoteObject} does.
   *
   * @param registries makes KaRMI's stub of a registry
   */
  public static RemoteRef readReference(
      Object stub, ObjectInputStream in, Function<JrmpName, StoredForm> registries)
      throws IOException, ClassNotFoundException {
    String name = in.readUTF();
    if (name.isEmpty()) {
      return (RemoteRef) in.readObject();
    }
    RemoteRef ofStock = make(RemoteRef.packagePrefix + "." + name);
    if (name.equals(StandInRef.NAME_IN_STREAMS)) {
      return StandInRef.read(in, ofStock, isRegistry(stub) ? registries : null);
    }
    ofStock.readExternal(in);
    return ofStock;
  }

  private static RemoteRef make(String type) throws ClassNotFoundException {
    Class<?> found = Class.forName(type);
    try {
      return (RemoteRef) found.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new ClassNotFoundException(type, e);
    }
  }

  /** KaRMI's stub in place of one that a program's stream has read, if that stands for one. */
  private static Object resolution(Object read) throws ObjectStreamException {
    RemoteRef reference = referenceOf(read);
    if (!(reference instanceof StandInRef)) {
      return read;
    }
    StandInRef standing = (StandInRef) reference;
    return isRegistry(read)
        ? standing.formOf((Remote) read)
        : StubTypes.ofStandIn((Remote) read, standing);
  }

  /** Whether a proxy with this handler is one for the object of a stub. */
  public static boolean areEqual(RemoteObject handler, Stub stub) {
    RemoteRef reference = handler.getRef();
    return reference != null && stub.getRef().remoteEquals(reference);
  }

  /** A program's own handler stays; one that failed to be read is null. */
  private static boolean isOfJdk(@Nullable InvocationHandler handler) {
    return handler != null && handler.getClass() == RemoteObjectInvocationHandler.class;
  }

  private static @Nullable RemoteRef referenceOf(Object read) {
    Object holder = read;
    if (Proxy.isProxyClass(read.getClass())) {
      InvocationHandler handler = Proxy.getInvocationHandler(read);
      holder = isOfJdk(handler) ? handler : null;
    }
    return holder instanceof RemoteObject && read instanceof Remote
        ? ((RemoteObject) holder).getRef()
        : null;
  }
}
