package io.karmi.reference;

import java.io.ObjectStreamException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.rmi.server.RemoteStub;
import org.jspecify.annotations.Nullable;

/**
 * The form of a stub in object streams that know nothing of KaRMI.
 *
 * <p>A stub is replaced by it before any stream can say what kind it is; the streams of a call then
 * ask for the form of their own.
 */
public interface StoredForm {
  /** The reference in a stub of the JDK's that stands for one of KaRMI's. */
  interface StandIn extends NoJava11Stubs {
    /** What is called. */
    ClientRef reference();

    /**
     * The form of the stub for which one of the JDK's stands.
     *
     * @param standing has this reference
     */
    StoredForm formOf(Remote standing);
  }

  /** What is written in place of this in a call. */
  Object formInCall();

  /** What is written in place of this in a call of stock RMI. */
  Object formInStockCall(StockRuntime stock) throws ObjectStreamException;

  /** The form that an object is, or stands for; null if it is nothing of the kind. */
  @SuppressWarnings("deprecation") // RemoteStub is what the registry's stub is
  static @Nullable StoredForm of(@Nullable Object object) {
    if (object instanceof StoredForm) {
      return (StoredForm) object;
    }
    RemoteRef reference = null;
    if (object instanceof Proxy) {
      InvocationHandler handler = Proxy.getInvocationHandler(object);
      reference =
          handler != null && handler.getClass() == RemoteObjectInvocationHandler.class
              ? ((RemoteObject) handler).getRef()
              : null;
    } else if (object instanceof RemoteStub) {
      reference = ((RemoteStub) object).getRef();
    }
    return reference instanceof StandIn && object instanceof Remote
        ? ((StandIn) reference).formOf((Remote) object)
        : null;
  }
}
