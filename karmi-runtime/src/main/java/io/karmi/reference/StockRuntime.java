package io.karmi.reference;

import io.karmi.guard.TakenOver;
import io.karmi.id.JrmpName;
import io.karmi.id.ObjectId;
import java.io.IOException;
import java.io.ObjectOutput;
import java.io.ObjectStreamException;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.ObjID;
import org.jspecify.annotations.Nullable;

/**
 * Stock RMI beside a node, in the same JVM, as the node uses it.
 *
 * <p>An object of KaRMI that peers without KaRMI are to call is exported on stock RMI, too: its
 * <em>counterpart</em> there has a name, a stub and a collector of stock RMI's. This class does
 * nothing; {@code io.karmi.stock} extends it, so that the layers below do not depend on it.
 * Thread-safe.
 */
public class StockRuntime {
  /** A node that has nothing to do with stock RMI. */
  protected StockRuntime() {}

  /**
   * Takes over a connection to a port of this node if its opener speaks JRMP.
   *
   * @param first the bytes that have been read from it
   * @param whenClosed runs once when the connection is closed after it was taken over
   * @return null if it is none of stock RMI's; then nothing has changed
   */
  public @Nullable TakenOver takeOver(Socket connection, byte[] first, Runnable whenClosed) {
    return null;
  }

  /**
   * Called when this JVM has met stock RMI: from now on its exported objects may become known to
   * peers without KaRMI.
   */
  public void isMet() {}

  /**
   * Creates a registry for a port at which this node listens: of stock RMI, which serves it to
   * peers without KaRMI.
   *
   * @throws RemoteException if stock RMI cannot
   */
  public Registry createRegistry(int port) throws RemoteException {
    throw new ExportException("this node has no stock RMI beside it");
  }

  /** Called when an object has been entered into the export table. */
  public void exported(ServerRef ref) {}

  /**
   * Takes the counterpart of an object back, if it has one.
   *
   * @return false if calls of the counterpart are running and {@code force} is not set
   */
  public boolean unexport(ServerRef ref, boolean force) {
    return true;
  }

  /** Called when an object has left the export table. */
  public void ended(ServerRef ref) {}

  /**
   * Called when stock RMI's collector learns of a holder of an object that it knows.
   *
   * @param target which stands for the object there
   */
  public void hold(Object target) {}

  /** Called when stock RMI's collector knows of no holder of an object, and would tell it so. */
  public void letGo(ServerRef ref) {}

  /** Whether stock RMI knows an object of the export table by this name. */
  public boolean isExported(ObjID name) {
    return false;
  }

  /** Whether the stub that this thread serializes is on its way into a call of stock RMI. */
  public boolean isWritingCall() {
    return false;
  }

  /** Whether an object stream is that of a call of stock RMI. */
  public boolean isOfCall(Object stream) {
    return false;
  }

  /**
   * The stub that peers without KaRMI are given for an object, wherever it lives.
   *
   * @throws ObjectStreamException if there is none
   */
  public Remote stockStub(ClientRef reference) throws ObjectStreamException {
    throw new java.io.NotSerializableException("this node has no stock RMI beside it");
  }

  /**
   * The name by which a program without KaRMI calls an object of any node; null if none can be
   * known here. Nothing is contacted.
   */
  public @Nullable JrmpName name(ObjectId object) {
    return null;
  }

  /**
   * The name of an object that has ended, or whose node cannot be asked; null if its address is
   * unknown. Who calls it learns from that address what has become of it. Nothing is contacted.
   */
  public @Nullable JrmpName nameOfEnded(ObjectId object) {
    return null;
  }

  /** The name of counterparts' references in the streams of stock RMI's calls. */
  public String referenceName() {
    return "";
  }

  /** Writes the reference of an object's counterpart into the stream of a call of stock RMI. */
  public void writeReference(ClientRef reference, ObjectOutput call) throws IOException {
    throw new java.io.NotSerializableException("this node has no stock RMI beside it");
  }

  /** KaRMI's stub of an object, given stock RMI's; the latter if there is none. */
  public Remote karmiStub(Remote stockStub) {
    return stockStub;
  }

  /** The object that serves {@link io.karmi.id.ObjectId#COUNTERPARTS}, or null. */
  protected @Nullable ServerRef counterparts() {
    return null;
  }
}
