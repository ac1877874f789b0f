package io.karmi.rmi;

import io.karmi.reference.CallContext;
import java.rmi.server.ExportException;
import java.util.HashSet;
import java.util.Set;

/**
 * Bound of the ports at which objects that peers send listen here. A {@link
 * java.rmi.server.UnicastRemoteObject} that travels as a copy is exported when it is read, at the
 * port that its sender says. Thread-safe.
 */
final class PortsOfPeers {
  /** How many such ports there may be in the life of this JVM. */
  static final int MAXIMUM = 16;

  /** Frames from the question to the method that reads the object, and some more. */
  private static final int FRAMES = 16;

  private static final Set<Integer> PORTS = new HashSet<>();

  private PortsOfPeers() {}

  /**
   * Checks an export.
   *
   * @param port 0 for one that all such objects share
   * @throws ExportException if a peer has sent the object, and there are too many ports
   */
  static void check(int port) throws ExportException {
    if (port != 0 && CallContext.isServing() && isRead()) {
      admit(port);
    }
  }

  /** The same for an object that is being read. */
  static void checkRead(int port) throws ExportException {
    if (port != 0 && CallContext.isServing()) {
      admit(port);
    }
  }

  private static synchronized void admit(int port) throws ExportException {
    if (PORTS.size() >= MAXIMUM && !PORTS.contains(port)) {
      throw new ExportException(
          "an object that has come in a call would listen at port "
              + port
              + ", and others did at "
              + MAXIMUM
              + " ports already; export it at port 0, or send a stub");
    }
    PORTS.add(port);
  }

  private static boolean isRead() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .limit(FRAMES)
                    .anyMatch(
                        frame ->
                            frame.getMethodName().equals("readObject")
                                && frame
                                    .getClassName()
                                    .equals("java.rmi.server.UnicastRemoteObject")));
  }
}
