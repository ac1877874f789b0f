package io.karmi.technology;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import java.io.Closeable;
import java.io.IOException;
import java.io.WriteAbortedException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.UnmarshalException;

/**
 * One network as an object (paper 4.3): takes calls down to another node.
 *
 * <p>There is one {@code XApplicationCall} per result type, so that primitive results cross without
 * an object (paper 4.2). They are written once, here, over three things that a technology does:
 * {@link #exchange} sends a call, waits for the reply and lends the memory in which it lies; {@link
 * #finish} takes that memory back; {@link #abandon} does so when the reply could not be read.
 *
 * <p>Each call either throws a {@link RemoteException} because of the way, or a {@link
 * ThrownByCallee} because of the method, or returns the result. A call is executed at most once.
 * The classes of what comes back are looked for in the given loader first; null stands for the
 * context class loader. Thread-safe.
 */
public abstract class Technology implements AutoCloseable {
  /** The first half of its UTIDs, such as {@code tcp}. */
  public abstract String name();

  /**
   * Which technology is taken when several reach a node: the one with the highest rank. TCP has 0.
   */
  public abstract int rank();

  /**
   * Starts to accept calls.
   *
   * @param port where to listen, for technologies that have ports; 0 for the one any-port endpoint
   *     of the node. A second request for the same port returns the same UTID.
   * @throws java.net.BindException if the port is in use
   */
  public abstract TechnologyId listen(int port) throws IOException;

  /** The TCP port of a listening end, where others may connect, too; −1 if it has none. */
  public int port(TechnologyId endpoint) {
    return -1;
  }

  /** Ends what one {@link #listen} began; connections that are open stay. */
  public abstract void release(TechnologyId endpoint);

  /** True if the UTID is one of this technology and its address makes sense to it. */
  public abstract boolean reaches(TechnologyId id);

  /** The UTID of whoever listens at a host and port; nothing is contacted. */
  public abstract TechnologyId locate(String host, int port);

  /**
   * Sends a call and waits for the reply.
   *
   * @return the reply, positioned at its first byte ({@link CallOutput#RETURNED} or {@link
   *     CallOutput#THROWN}); lent until {@link #finish} or {@link #abandon}
   * @throws RemoteException if there is no reply
   */
  protected abstract CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException;

  /**
   * Takes back a reply that has been read, in any case, and acknowledges its references.
   *
   * @throws IOException if there are bytes left in it
   */
  protected abstract void finish(CallInput reply) throws IOException;

  /** Takes back a reply that could not be read to its end. */
  protected abstract void abandon(CallInput reply);

  /**
   * Makes a call over a way of its own, which then stays open, so that the callee notices when it
   * is closed or this process ends ({@link InCall#whenGone}).
   *
   * @param arguments of a method with a long result, which is dropped
   * @return closes the line
   */
  public abstract Closeable openLine(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee;

  /** Stops listening and closes all connections. */
  @Override
  public abstract void close();

  /** Calls a method without a result. */
  public final void voidApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    end(reply);
  }

  /** Calls a method with a boolean result. */
  public final boolean booleanApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    boolean result;
    try {
      result = reply.readBoolean();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method with a byte result. */
  public final byte byteApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    byte result;
    try {
      result = reply.readByte();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method with a char result. */
  public final char charApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    char result;
    try {
      result = reply.readChar();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method with a short result. */
  public final short shortApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    short result;
    try {
      result = reply.readShort();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method with an int result. */
  public final int intApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    int result;
    try {
      result = reply.readInt();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method with a long result. */
  public final long longApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    return longResult(exchange(target, type, methodNumber, arguments), loader);
  }

  /** Reads the reply to the call of a method with a long result, and gives it back. */
  protected final long longResult(CallInput reply, ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    checkReturned(reply, loader);
    long result;
    try {
      result = reply.readLong();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method with a float result. */
  public final float floatApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    float result;
    try {
      result = reply.readFloat();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method with a double result. */
  public final double doubleApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    double result;
    try {
      result = reply.readDouble();
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Calls a method whose result is an object or null. */
  public final Object objectApplicationCall(
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments,
      ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    CallInput reply = exchange(target, type, methodNumber, arguments);
    checkReturned(reply, loader);
    Object result;
    try {
      result = reply.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    return result;
  }

  /** Reads how the call ended; unless the method has returned, ends the exchange. */
  private void checkReturned(CallInput reply, ClassLoader loader)
      throws RemoteException, ThrownByCallee {
    int outcome;
    Throwable thrown;
    try {
      reply.readFor(loader, null);
      outcome = reply.readByte();
      if (outcome == CallOutput.RETURNED) {
        return;
      }
      thrown = readThrown(reply, outcome);
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      throw unreadable(reply, e);
    }
    end(reply);
    if (outcome == CallOutput.RESULT_LOST) {
      throw resultLost(thrown);
    }
    throw new ThrownByCallee(thrown);
  }

  private static Throwable readThrown(CallInput reply, int outcome)
      throws IOException, ClassNotFoundException {
    if (outcome != CallOutput.THROWN && outcome != CallOutput.RESULT_LOST) {
      throw new UnmarshalException(
          "reply begins with " + outcome + ", which is no outcome of a call");
    }
    Object thrown = reply.readObject();
    if (!(thrown instanceof Throwable)) {
      throw new UnmarshalException("reply throws what is no Throwable");
    }
    return (Throwable) thrown;
  }

  private void end(CallInput reply) throws RemoteException {
    try {
      finish(reply);
    } catch (IOException e) {
      throw new UnmarshalException("error unmarshalling return", e);
    }
  }

  /** As stock RMI shows it: there the stream itself says that it was aborted. */
  private static UnmarshalException resultLost(Throwable why) {
    Exception cause =
        why instanceof Exception
            ? (Exception) why
            : new ServerError("Error occurred in server thread", (Error) why);
    return new UnmarshalException(
        "error unmarshalling return", new WriteAbortedException("writing aborted", cause));
  }

  /**
   * Gives the reply back, and makes the exception of a result that cannot be read; rethrows errors.
   */
  private RemoteException unreadable(CallInput reply, Throwable problem) {
    abandon(reply);
    if (problem instanceof Error) {
      throw (Error) problem;
    }
    if (problem instanceof UnmarshalException) {
      return (UnmarshalException) problem;
    }
    if (problem instanceof RuntimeException) {
      throw (RuntimeException) problem;
    }
    return new UnmarshalException("error unmarshalling return", (Exception) problem);
  }
}
