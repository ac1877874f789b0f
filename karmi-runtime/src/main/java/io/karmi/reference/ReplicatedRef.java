package io.karmi.reference;

import io.karmi.technology.CallDeadline;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.reflect.Method;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnknownHostException;
import java.rmi.server.RemoteRef;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reference to several objects behind one stub, each of which can replace the others (paper 4.2).
 *
 * <p>A call goes to the first of them that answers, and later calls stay there. It is for methods
 * that read: a call whose connection is lost may have been executed, and is executed once more
 * elsewhere. What an object throws is the result of the call, whichever object it was.
 *
 * <p>The reference travels in any object stream, and holds all its objects. A peer on stock RMI
 * gets a reference to the object that is called now. Thread-safe.
 */
public final class ReplicatedRef implements NoJava11Stubs {
  private static final long serialVersionUID = 1;

  private static final int MAXIMUM_REPLICAS = 64;

  private transient ClientRef[] replicas;

  /** Index of the one that is called; the next one after it has failed. */
  private transient volatile int current;

  /** For {@link java.io.Externalizable} only, which then sets the fields. */
  @SuppressWarnings("NullAway.Init")
  public ReplicatedRef() {}

  /**
   * A reference to objects that can replace each other.
   *
   * @param replicas the preferred one first, at most 64
   */
  public ReplicatedRef(List<ClientRef> replicas) {
    if (replicas.isEmpty() || replicas.size() > MAXIMUM_REPLICAS) {
      throw new IllegalArgumentException(
          replicas.size() + " replicas; from 1 to " + MAXIMUM_REPLICAS + " are possible");
    }
    this.replicas = replicas.toArray(new ClientRef[0]);
  }

  @Override
  public @Nullable Object invoke(
      Remote stub, Method method, @Nullable Object @Nullable [] arguments, long methodHash)
      throws Exception {
    int first = current;
    @Nullable RemoteException problem = null;
    for (int i = 0; i < replicas.length; i++) {
      int index = (first + i) % replicas.length;
      try {
        Object result = replicas[index].invoke(stub, method, arguments, methodHash);
        current = index;
        return result;
      } catch (RemoteException e) {
        if (!isLost(e) || isTooLate()) {
          throw e;
        }
        if (problem != null) {
          e.addSuppressed(problem);
        }
        problem = e;
      }
    }
    throw problem;
  }

  /** Whether the caller's own time is over, so that another object is of no use. */
  private static boolean isTooLate() {
    CallDeadline deadline = CallDeadline.current();
    return deadline != null && deadline.hasPassed();
  }

  /** Whether there is no answer, for a reason that another object need not have. */
  private static boolean isLost(RemoteException problem) {
    Throwable cause = problem.getCause();
    return problem instanceof ConnectException
        || problem instanceof ConnectIOException
        || problem instanceof UnknownHostException
        || problem instanceof NoSuchObjectException
        || cause instanceof SocketException
        || cause instanceof SocketTimeoutException
        || cause instanceof EOFException;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    if (!getRefClass(out).isEmpty()) {
      replicas[current].writeExternal(out);
      return;
    }
    out.writeByte(replicas.length);
    for (ClientRef replica : replicas) {
      replica.writeExternal(out);
    }
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    int count = in.readUnsignedByte();
    if (count == 0 || count > MAXIMUM_REPLICAS) {
      throw new InvalidObjectException("reference to " + count + " replicas");
    }
    replicas = new ClientRef[count];
    for (int i = 0; i < count; i++) {
      replicas[i] = new ClientRef();
      replicas[i].readExternal(in);
    }
  }

  @Override
  public String getRefClass(@Nullable ObjectOutput out) {
    return replicas[current].getRefClass(out);
  }

  private Set<Object> ids() {
    Set<Object> ids = new HashSet<>();
    for (ClientRef replica : replicas) {
      ids.add(replica.id());
    }
    return ids;
  }

  @Override
  public int remoteHashCode() {
    return ids().hashCode();
  }

  /** Whether the other one refers to the same objects, in any order. */
  @Override
  public boolean remoteEquals(@Nullable RemoteRef other) {
    return other instanceof ReplicatedRef && ((ReplicatedRef) other).ids().equals(ids());
  }

  @Override
  public String remoteToString() {
    return "ReplicatedRef " + Arrays.stream(replicas).map(ClientRef::id).toList();
  }
}
