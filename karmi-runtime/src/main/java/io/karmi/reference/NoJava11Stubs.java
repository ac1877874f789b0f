package io.karmi.reference;

import java.rmi.server.Operation;
import java.rmi.server.RemoteCall;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteRef;

/**
 * A reference for stubs that call {@code invoke(Remote, Method, …)}: those of Java 1.2 and later.
 */
@SuppressWarnings("deprecation") // RemoteRef still names the types of the first stubs
public interface NoJava11Stubs extends RemoteRef {
  @Override
  default RemoteCall newCall(RemoteObject object, Operation[] operations, int number, long hash) {
    throw refused();
  }

  @Override
  default void invoke(RemoteCall call) {
    throw refused();
  }

  @Override
  default void done(RemoteCall call) {
    throw refused();
  }

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException(
        "stubs of Java 1.1 are not supported: run karmic, or use stubs that call invoke(Remote, Method, …)");
  }
}
