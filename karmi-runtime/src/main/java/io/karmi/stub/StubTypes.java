package io.karmi.stub;

import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.stubgen.model.ReflectedClass;
import io.karmi.stubgen.model.RemoteModel;
import java.io.InvalidObjectException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finder of the {@link StubType} of a class, or of a list of interfaces.
 *
 * <p>A type is kept by the class it belongs to, so that it pins no class loader: the implementation
 * class, the only interface, or the one of several interfaces that sees all others. If none does,
 * the type lives as long as its stubs. Thread-safe.
 */
public final class StubTypes {
  private static final ClassValue<StubType> BY_IMPLEMENTATION =
      new ClassValue<>() {
        @Override
        protected StubType computeValue(Class<?> implementation) {
          return Privileged.get(() -> modelled(implementation));
        }
      };

  private static final ClassValue<StubType> BY_SINGLE_INTERFACE =
      new ClassValue<>() {
        @Override
        protected StubType computeValue(Class<?> type) {
          return Privileged.get(() -> new StubType(false, type));
        }
      };

  private static final ClassValue<Lists> BY_FIRST_INTERFACE =
      new ClassValue<>() {
        @Override
        protected Lists computeValue(Class<?> type) {
          return new Lists();
        }
      };

  private StubTypes() {}

  private static StubType modelled(Class<?> implementation) {
    RemoteModel.of(new ReflectedClass(implementation));
    return of(remoteInterfacesOf(implementation));
  }

  /**
   * The type of the objects of a class.
   *
   * @throws IllegalArgumentException if the class implements no remote interface, or one with a
   *     method that does not declare RemoteException
   */
  public static StubType ofImplementation(Class<?> implementation) {
    return BY_IMPLEMENTATION.get(implementation);
  }

  /** The type of these interfaces, at least one, in this order. */
  public static StubType of(Class<?>... interfaces) {
    if (interfaces.length == 1) {
      return BY_SINGLE_INTERFACE.get(interfaces[0]);
    }
    return BY_FIRST_INTERFACE.get(interfaces[0]).get(false, interfaces);
  }

  /**
   * The type of interfaces that some peer has named. There may be any number of such lists, so that
   * classes made for them can be unloaded, and lists that differ in order only share a type once
   * there are several.
   */
  public static StubType ofArrived(Class<?>... interfaces) {
    if (interfaces.length == 1) {
      return BY_SINGLE_INTERFACE.get(interfaces[0]);
    }
    Class<?>[] taken = inOrder(interfaces);
    return BY_FIRST_INTERFACE.get(taken[0]).get(true, taken);
  }

  /** Whether {@link #ofArrived} has no classes to make. */
  static boolean isMade(Class<?>... interfaces) {
    if (interfaces.length < 2) {
      return true; // of a single interface they are made once
    }
    Class<?>[] taken = inOrder(interfaces);
    return BY_FIRST_INTERFACE.get(taken[0]).find(key(taken), taken) != null;
  }

  /** The order in which interfaces that a peer has named have a type. */
  private static Class<?>[] inOrder(Class<?>... interfaces) {
    Class<?>[] sorted = interfaces.clone();
    Arrays.sort(sorted, Comparator.comparing(Class::getName));
    return BY_FIRST_INTERFACE.get(sorted[0]).admitsOrder(sorted, interfaces) ? interfaces : sorted;
  }

  private static String key(Class<?>... interfaces) {
    return String.join(" ", names(interfaces));
  }

  /** The remote interfaces of a class in the order of {@link RemoteModel#remoteInterfacesOf}. */
  static Class<?>[] remoteInterfacesOf(Class<?> implementation) {
    List<Class<?>> found = new ArrayList<>();
    addRemoteInterfaces(implementation, found);
    if (found.size() > 1) {
      found.remove(Remote.class);
    }
    return found.toArray(new Class<?>[0]);
  }

  private static void addRemoteInterfaces(Class<?> type, List<Class<?>> found) {
    if (type.getSuperclass() != null) {
      addRemoteInterfaces(type.getSuperclass(), found);
    }
    for (Class<?> each : type.getInterfaces()) {
      if (Remote.class.isAssignableFrom(each) && !found.contains(each)) {
        found.add(each);
      }
    }
  }

  /**
   * Makes the stub of an object that lives elsewhere.
   *
   * @param names all its interfaces; null if {@code known} has them all
   * @param known those that are known here
   * @throws InvalidObjectException if one comes twice, or if there are too many lists like this
   *     one; no honest node sends either
   */
  static Remote makeStub(ClientRef reference, String @Nullable [] names, Class<?>... known)
      throws InvalidObjectException {
    if (new HashSet<>(Arrays.asList(known)).size() < known.length) {
      throw new InvalidObjectException("stub with an interface twice");
    }
    Remote stub = known.length == 0 ? new Stub(reference) : admitted(known).makeStub(reference);
    if (stub instanceof Stub && names != null && names.length > known.length) {
      ((Stub) stub).withInterfaceNames(names);
    }
    return stub;
  }

  /** The type of interfaces that some peer has named, as long as that costs no memory for good. */
  private static StubType admitted(Class<?>... interfaces) throws InvalidObjectException {
    StubType type = ofArrived(interfaces);
    Class<?>[] taken = type.interfaces;
    if (type.isLasting() && !BY_FIRST_INTERFACE.get(taken[0]).admitsLasting(taken)) {
      throw new InvalidObjectException(
          "stub of "
              + List.of(names(taken))
              + ": "
              + Lists.MAXIMUM_LASTING
              + " lists of interfaces that begin with the first of these have come already, and"
              + " classes of such lists cannot be unloaded, as one of their types is not public or"
              + " karmi.codegen is off");
    }
    return type;
  }

  /**
   * The stub that a caller expects, made of one that came through an object stream of stock RMI: to
   * that stream KaRMI's classes were the caller, and it looked for the interfaces in their loader.
   */
  public static Remote asSeenByCaller(Remote stub) throws ClassNotFoundException {
    boolean ofStock = Proxy.isProxyClass(stub.getClass());
    if (!ofStock && (!(stub instanceof Stub) || ((Stub) stub).hasUnknownInterfaces())) {
      return stub;
    }
    Class<?>[] found = stub.getClass().getInterfaces();
    Class<?>[] expected = new Class<?>[found.length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = Node.current().translation().resolveClass(found[i].getName(), null);
    }
    if (Arrays.equals(found, expected)) {
      return stub;
    }
    return ofStock
        ? proxy(expected, Proxy.getInvocationHandler(stub))
        : ofArrived(expected).makeStub(((Stub) stub).reference());
  }

  static Remote proxy(Class<?>[] interfaces, InvocationHandler handler) {
    Class<?> home = host(interfaces);
    ClassLoader loader =
        home != null ? home.getClassLoader() : Thread.currentThread().getContextClassLoader();
    return (Remote) Proxy.newProxyInstance(loader, interfaces, handler);
  }

  /** Refuses what a forged stub might name, or leave out. */
  static void checkRemote(@Nullable Class<?> type) throws InvalidObjectException {
    if (type == null) {
      throw new InvalidObjectException("stub without one of its interfaces");
    }
    if (!type.isInterface() || !Remote.class.isAssignableFrom(type)) {
      throw new InvalidObjectException("stub of " + type.getName() + ", no remote interface");
    }
  }

  static InvalidObjectException invalid(String problem, Exception cause) {
    InvalidObjectException invalid = new InvalidObjectException(problem);
    invalid.initCause(cause);
    return invalid;
  }

  /**
   * The object that streams outside of calls write in place of a stub, if they replace objects
   * themselves.
   */
  public static Object storedForm(Remote stub) {
    return stub instanceof Stub ? ((Stub) stub).forAnyReader() : stub;
  }

  /**
   * KaRMI's stub for one of the JDK's that was read in its place; the latter itself if it has an
   * interface that is not remote, as no stub has.
   */
  static Remote ofStandIn(Remote standing, StandInRef reference) throws InvalidObjectException {
    Class<?>[] interfaces = standing.getClass().getInterfaces();
    for (Class<?> each : interfaces) {
      if (!Remote.class.isAssignableFrom(each)) {
        return standing;
      }
    }
    return makeStub(reference.reference(), null, interfaces);
  }

  static String[] names(Class<?>[] interfaces) {
    String[] names = new String[interfaces.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = interfaces[i].getName();
    }
    return names;
  }

  /** The interface whose loader finds all of them, or null. */
  static @Nullable Class<?> host(Class<?>[] interfaces) {
    for (Class<?> candidate : interfaces) {
      if (GeneratedCode.seesAll(candidate.getClassLoader(), interfaces)) {
        return candidate;
      }
    }
    return null;
  }

  /**
   * The types of those lists that begin with one interface, and those that one interface keeps
   * alive.
   */
  private static final class Lists {
    /** Upper bound of the orders in which the interfaces of one set may come. */
    private static final int MAXIMUM_ORDERS = 8;

    /** Upper bound of the sets whose orders are remembered. */
    private static final int MAXIMUM_SETS = 256;

    /** Number of types named by peers that an interface keeps alive: the youngest. */
    private static final int MAXIMUM_ARRIVED = 16;

    /** Upper bound of the lists named by peers whose classes cannot be unloaded. */
    static final int MAXIMUM_LASTING = 256;

    /** Size of the table from which on types that are gone are removed when one is added. */
    private static final int MANY_TYPES = 256;

    private final ConcurrentHashMap<String, WeakReference<StubType>> types =
        new ConcurrentHashMap<>();
    private final List<StubType> kept = new ArrayList<>();
    private final ArrayDeque<StubType> arrived = new ArrayDeque<>();
    private final Map<String, Set<String>> orders = new HashMap<>();
    private final Set<String> lasting = new HashSet<>();

    StubType get(boolean ofPeer, Class<?>... interfaces) {
      String key = key(interfaces);
      StubType type = find(key, interfaces);
      return type == null ? add(key, ofPeer, interfaces) : type;
    }

    @Nullable StubType find(String key, Class<?>... interfaces) {
      WeakReference<StubType> known = types.get(key);
      StubType type = known == null ? null : known.get();
      return type != null && type.isFor(interfaces) ? type : null;
    }

    /** Two loaders may have lists of equal names; the last one asked for stays in the table. */
    private synchronized StubType add(String key, boolean ofPeer, Class<?>... interfaces) {
      StubType type = find(key, interfaces);
      if (type == null) {
        type = Privileged.get(() -> new StubType(ofPeer, interfaces));
        Class<?> host = host(interfaces);
        if (host != null) {
          BY_FIRST_INTERFACE.get(host).keep(ofPeer, type);
        }
        if (types.size() >= MANY_TYPES) {
          types.values().removeIf(each -> each.get() == null);
        }
        types.put(key, new WeakReference<>(type));
      }
      return type;
    }

    private void keep(boolean ofPeer, StubType type) {
      synchronized (kept) {
        if (!ofPeer) {
          kept.add(type);
          return;
        }
        arrived.addLast(type);
        if (arrived.size() > MAXIMUM_ARRIVED) {
          arrived.removeFirst();
        }
      }
    }

    /** Whether a list that a peer has named may have classes that cannot be unloaded. */
    boolean admitsLasting(Class<?>... interfaces) {
      String list = String.join(" ", names(interfaces));
      synchronized (lasting) {
        return lasting.contains(list) || lasting.size() < MAXIMUM_LASTING && lasting.add(list);
      }
    }

    /** Whether a set of interfaces may have a type for this order, too. */
    boolean admitsOrder(Class<?>[] sorted, Class<?>... order) {
      String set = String.join(" ", names(sorted));
      String asNamed = String.join(" ", names(order));
      synchronized (orders) {
        if (orders.size() >= MAXIMUM_SETS && !orders.containsKey(set)) {
          orders.clear();
        }
        Set<String> known = orders.computeIfAbsent(set, s -> new HashSet<>());
        return known.contains(asNamed) || known.size() < MAXIMUM_ORDERS && known.add(asNamed);
      }
    }
  }
}
