package io.karmi.rmi;

import io.karmi.reference.ServerRef;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteStub;

/** The static methods of {@link RemoteObject}. */
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
}
