package io.karmi.stock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import org.jspecify.annotations.Nullable;

/**
 * Stock RMI's name of an object that is exported with a server socket factory and without one for
 * clients, as counterparts are. Immutable.
 */
final class StockName {
  /** The reference of such a stub, as it calls itself in streams. */
  static final String REFERENCE = "UnicastRef2";

  /** The address has no client socket factory. */
  private static final int HOST_AND_PORT = 0;

  final String host;
  final int port;
  final ObjID id;

  private StockName(String host, int port, ObjID id) {
    this.host = host;
    this.port = port;
    this.id = id;
  }

  /** The name that a stub bears, or null if it bears another kind of name. */
  static @Nullable StockName of(Remote stub) {
    RemoteRef reference = reference(stub);
    if (reference == null || !REFERENCE.equals(reference.getRefClass(null))) {
      return null;
    }
    try {
      return parse(bytes(reference));
    } catch (IOException e) {
      return null; // its client socket factory cannot be written, so it has one
    }
  }

  /** The reference of a stub; null if it is no stub. */
  static @Nullable RemoteRef reference(Remote stub) {
    if (!Proxy.isProxyClass(stub.getClass())) {
      return stub instanceof RemoteObject ? ((RemoteObject) stub).getRef() : null;
    }
    Object handler = Proxy.getInvocationHandler(stub);
    return handler instanceof RemoteObjectInvocationHandler
        ? ((RemoteObjectInvocationHandler) handler).getRef()
        : null;
  }

  private static byte[] bytes(RemoteRef reference) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      reference.writeExternal(out);
    }
    return bytes.toByteArray();
  }

  private static @Nullable StockName parse(byte[] bytes) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readByte() != HOST_AND_PORT) {
        return null;
      }
      String host = in.readUTF();
      int port = in.readInt();
      return new StockName(host, port, ObjID.read(in));
    }
  }
}
