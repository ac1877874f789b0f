package io.karmi.benchmarks.heap;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** What a client of {@link KeyValues} may call. */
public interface Store extends Remote {
  /** The answer to a {@link KeyValues.Get} or a {@link KeyValues.Put}; a string is returned. */
  @Nullable Object apply(Object request) throws RemoteException;
}
