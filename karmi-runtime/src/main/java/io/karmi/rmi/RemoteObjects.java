package io.karmi.rmi;

import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteStub;

/** The static methods of {@link RemoteObject}, and the port of an object. */
public final class RemoteObjects {
  private RemoteObjects() {}

  /**
   * The stub of an object that is exported on KaRMI or on stock RMI; a stub is returned as it is.
   *
   * @throws NoSuchObjectException if the object is not exported
   */
  @SuppressWarnings("deprecation") // stubs of both runtimes still extend RemoteStub
  public static Remote toStub(Remote object) throws NoSuchObjectException {
    if (object instanceof RemoteStub) {
      return object;
    }
    ServerRef exported = Exports.find(object);
    return exported != null ? exported.stub() : RemoteObject.toStub(object);
  }

  /**
   * The TCP port at which an object is called that is exported on KaRMI.
   *
   * @return −1 if there is none
   * @throws NoSuchObjectException if KaRMI does not export the object
   */
  public static int port(Remote object) throws NoSuchObjectException {
    ServerRef exported = Exports.find(object);
    if (exported == null) {
      throw new NoSuchObjectException("object not exported");
    }
    return Node.current().port(exported);
  }
}
