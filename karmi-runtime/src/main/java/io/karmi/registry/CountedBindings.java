package io.karmi.registry;

import io.karmi.guard.AllocatedBytes;
import io.karmi.guard.Ledger;
import io.karmi.reference.CallContext;
import java.rmi.AccessException;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The bindings of one registry that others have made by calls, which count as the memory that their
 * calls have allocated. Those of the program itself do not count. Thread-safe.
 */
final class CountedBindings {
  /** A call allocates ten times and more of what an ordinary binding keeps. */
  private static final int PART_OF_HEAP = 4;

  private static final Ledger OF_ALL =
      new Ledger(
          "a quarter of the heap",
          Runtime.getRuntime().maxMemory() / PART_OF_HEAP,
          Ledger.Weakest.NONE);

  /** Counted for a binding beside its name where the JVM does not count what threads allocate. */
  private static final long USUAL_BYTES = 4096;

  private record Binding(String host, long bytes) {}

  /** What counts, by name; guarded by this. */
  private final Map<String, Binding> counted = new HashMap<>();

  private final Ledger ledger;

  CountedBindings() {
    this(OF_ALL);
  }

  CountedBindings(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The registry for one call of this thread, whose binding counts. */
  Registry during(Registry registry) {
    return new Call(registry);
  }

  private void count(Registry registry, String name, long bytes) throws RemoteException {
    String host = host();
    if (ledger.take(host, bytes) != Ledger.Outcome.TAKEN) {
      forgetUnbound(registry);
      if (ledger.take(host, bytes) != Ledger.Outcome.TAKEN) {
        throw new AccessException(
            "the registry has no memory for one more name of "
                + host
                + ": those that others have bound take "
                + ledger.taken()
                + " of at most "
                + ledger.most()
                + " bytes (a quarter of the heap, one host seven eighths of it); unbind some");
      }
    }
    forget(name);
    counted.put(name, new Binding(host, bytes));
  }

  private void forget(String name) {
    Binding binding = counted.remove(name);
    if (binding != null) {
      ledger.giveBack(binding.host, binding.bytes);
    }
  }

  /** Names that the program itself has unbound. */
  private void forgetUnbound(Registry registry) throws RemoteException {
    Set<String> bound = new HashSet<>(Arrays.asList(registry.list()));
    for (String name : Set.copyOf(counted.keySet())) {
      if (!bound.contains(name)) {
        forget(name);
      }
    }
  }

  private static String host() {
    try {
      return CallContext.isActive() ? CallContext.clientHost() : RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      return "this JVM";
    }
  }

  private final class Call implements Registry {
    private final Registry registry;
    private final long before = AllocatedBytes.ofCurrentThread();

    Call(Registry registry) {
      this.registry = registry;
    }

    private long bytes(String name) {
      return AllocatedBytes.since(before, USUAL_BYTES + name.length());
    }

    @Override
    public void bind(String name, Remote object) throws RemoteException, AlreadyBoundException {
      synchronized (CountedBindings.this) {
        long bytes = bytes(name);
        registry.bind(name, object);
        boolean counts = false;
        try {
          count(registry, name, bytes);
          counts = true;
        } finally {
          if (!counts) {
            unbindNew(name);
          }
        }
      }
    }

    private void unbindNew(String name) throws RemoteException {
      try {
        registry.unbind(name);
      } catch (NotBoundException e) {
        /* The program was quicker. */
      }
    }

    @Override
    public void rebind(String name, Remote object) throws RemoteException {
      synchronized (CountedBindings.this) {
        count(registry, name, bytes(name));
        registry.rebind(name, object);
      }
    }

    @Override
    public void unbind(String name) throws RemoteException, NotBoundException {
      synchronized (CountedBindings.this) {
        registry.unbind(name);
        forget(name);
      }
    }

    @Override
    public Remote lookup(String name) throws RemoteException, NotBoundException {
      return registry.lookup(name);
    }

    @Override
    public String[] list() throws RemoteException {
      return registry.list();
    }
  }
}
