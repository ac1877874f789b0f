package io.karmi.technology;

import io.karmi.id.ObjectId;
import java.rmi.ConnectException;
import java.rmi.RemoteException;

/**
 * The other technologies of a node, which carry calls for which one opens no connection. The
 * reference layer implements it. Thread-safe.
 */
public interface Alternatives {
  /** Those of a technology that is used alone. */
  Alternatives NONE =
      new Alternatives() {
        @Override
        public boolean exist(Technology technology, ObjectId target) {
          return false;
        }

        @Override
        public boolean isToConnect(Technology technology, ObjectId target) {
          return true;
        }

        @Override
        public Technology after(ApplicationCalls failed, ObjectId target, NotConnectedException why)
            throws RemoteException {
          throw reason(target, why);
        }
      };

  /** Whether another technology, behind this one, reaches an object. */
  boolean exist(Technology technology, ObjectId target);

  /**
   * Whether a technology that has no connection to an object's node is to open one. If not, another
   * one reaches the object.
   */
  boolean isToConnect(Technology technology, ObjectId target);

  /**
   * The next technology that reaches an object.
   *
   * @param failed the one that has opened no connection
   * @throws RemoteException if there is none: why the connection was not opened
   */
  Technology after(ApplicationCalls failed, ObjectId target, NotConnectedException why)
      throws RemoteException;

  /** What the caller is thrown if no technology is left. */
  static RemoteException reason(ObjectId target, NotConnectedException why) {
    RemoteException reason = why.reason();
    return reason != null
        ? reason
        : new ConnectException("no technology reaches " + target + " any more");
  }
}
