package io.karmi.stub;

import io.karmi.reference.ClientRef;
import io.karmi.reference.ReplicatedRef;
import java.rmi.Remote;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Factory of one stub for several, whose objects can replace each other. */
public final class Replicas {
  private Replicas() {}

  /**
   * A stub that calls the first of several objects, and the next one when that cannot be reached.
   *
   * @param stubs of KaRMI, the preferred one first
   * @return implements the remote interfaces that all of them have
   * @throws IllegalArgumentException if one is no stub of KaRMI's, or they have no interface in
   *     common
   */
  public static Remote of(Remote... stubs) {
    List<ClientRef> references = new ArrayList<>(stubs.length);
    Set<Class<?>> common = new LinkedHashSet<>();
    for (Remote each : stubs) {
      if (!(each instanceof Stub)) {
        throw new IllegalArgumentException(each + " is no stub of KaRMI's");
      }
      Set<Class<?>> interfaces =
          new LinkedHashSet<>(Arrays.asList(each.getClass().getInterfaces()));
      if (references.isEmpty()) {
        common = interfaces;
      }
      common.retainAll(interfaces);
      references.add(((Stub) each).reference());
    }
    ReplicatedRef reference = new ReplicatedRef(references);
    if (common.isEmpty()) {
      throw new IllegalArgumentException(
          "no remote interface that all of them have: " + Arrays.toString(stubs));
    }
    return StubTypes.proxy(
        common.toArray(new Class<?>[0]), new RemoteObjectInvocationHandler(reference));
  }
}
