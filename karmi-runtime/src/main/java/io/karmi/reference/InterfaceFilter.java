package io.karmi.reference;

import io.karmi.settings.Settings;
import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteStub;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Filter of {@code karmi.serialFilter=interface}: allows types that the signatures of the remote
 * interfaces lead to, or the classes of messages that are received, and the usual value types.
 *
 * <p>The JVM-wide filter decides first, so that it can allow more, or less. Subtypes of a program's
 * own types in the signatures are allowed, and what these lead to in turn; those of the platform's
 * are not, or {@code Object} would allow everything. Stubs are allowed; exceptions are where they
 * are results. Thread-safe.
 */
@SuppressWarnings("deprecation") // RemoteStub is what KaRMI's stubs are
public final class InterfaceFilter implements ObjectInputFilter {
  private static final System.Logger LOG = System.getLogger(InterfaceFilter.class.getName());
  private static final boolean ON = Privileged.get(() -> Settings.SERIAL_FILTER.mayBe("interface"));

  private static final int MAXIMUM_WARNINGS = 100;
  private static final LongAdder REJECTIONS = new LongAdder();

  /** Packages whose serializable classes are all values, or collections of their elements. */
  private static final Set<String> VALUE_PACKAGES =
      Set.of(
          "java.math",
          "java.time",
          "java.time.chrono",
          "java.time.zone",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.concurrent.locks");

  private static final Set<String> VALUES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Short",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double",
          "java.lang.Number",
          "java.lang.String",
          "java.lang.Enum",
          "java.lang.Record",
          "java.lang.Object", // the element type of Object[]; an object of just this class is none
          "java.lang.StackTraceElement",
          "java.net.URI",
          "java.net.InetAddress",
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.net.InetSocketAddress",
          "java.sql.Date",
          "java.sql.Time",
          "java.sql.Timestamp");

  /** Packages of the classes that stubs consist of. */
  private static final Set<String> STUB_PACKAGES =
      Set.of("io.karmi.stub", "io.karmi.reference", "io.karmi.stock");

  /**
   * Classes that stubs of stock RMI consist of. Other classes of their package are not allowed: one
   * is exported, at a port of the sender's choice, when it is read.
   */
  private static final Set<String> STOCK_STUBS =
      Set.of(
          "java.rmi.server.RemoteObject",
          "java.rmi.server.RemoteStub",
          "java.rmi.server.RemoteObjectInvocationHandler",
          "java.rmi.server.ObjID",
          "java.rmi.server.UID");

  /**
   * Packages of the interfaces by which the runtime itself is asked, and asks on its own account:
   * no program needs more there than their signatures say, so the filter is always on.
   */
  private static final Set<String> OWN_PACKAGES = Set.of("io.karmi.exchange.remote");

  private final ReachableTypes reachable = new ReachableTypes();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final boolean results;

  private InterfaceFilter(boolean results) {
    this.results = results;
  }

  /**
   * For the arguments of calls to an object with these interfaces; null where it is not asked for.
   */
  static @Nullable ObjectInputFilter ofArguments(Class<?>... interfaces) {
    return isWanted(interfaces) ? make(false, interfaces) : null;
  }

  /** For results of calls to an object with these interfaces; null where it is not asked for. */
  public static @Nullable ObjectInputFilter ofResults(Class<?>... interfaces) {
    return isWanted(interfaces) ? make(true, interfaces) : null;
  }

  private static boolean isWanted(Class<?>... interfaces) {
    boolean wanted = ON;
    for (Class<?> each : interfaces) {
      wanted |= OWN_PACKAGES.contains(each.getPackageName());
    }
    return wanted;
  }

  /**
   * For messages and answers, which have no interface: some classes, those that are {@linkplain
   * #expect expected}, and exceptions; null where it is not asked for.
   */
  public static @Nullable InterfaceFilter ofMessages(Class<?>... types) {
    return ON ? makeForMessages(types) : null;
  }

  /** The same, whether it is asked for or not. */
  static InterfaceFilter makeForMessages(Class<?>... types) {
    InterfaceFilter filter = new InterfaceFilter(true);
    for (Class<?> each : types) {
      filter.expect(each);
    }
    return filter;
  }

  /** Allows a class from now on, and the types that it leads to. */
  public void expect(Class<?> type) {
    reachable.addType(type);
  }

  /** The number of objects and descriptions that such filters have refused. */
  static long rejections() {
    return REJECTIONS.sum();
  }

  /** The filter, whether it is asked for or not. */
  static ObjectInputFilter make(boolean results, Class<?>... interfaces) {
    InterfaceFilter filter = new InterfaceFilter(results);
    for (Class<?> each : interfaces) {
      filter.reachable.addSignatures(each, results);
    }
    return filter;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    ObjectInputFilter ofJvm = ObjectInputFilter.Config.getSerialFilter();
    Status before = ofJvm == null ? Status.UNDECIDED : ofJvm.checkInput(info);
    Class<?> type = info.serialClass();
    if (before != Status.UNDECIDED || type == null) {
      return before;
    }
    while (type.isArray()) {
      type = type.getComponentType();
    }
    if (type.isPrimitive() || isAllowed(type)) {
      return Status.ALLOWED;
    }
    REJECTIONS.increment();
    warn(type.getName());
    return Status.REJECTED;
  }

  /**
   * Warns once for each class, and of a bounded number of classes, since strangers can name many.
   */
  private void warn(String name) {
    if (refused.size() < MAXIMUM_WARNINGS && refused.add(name)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} refused: neither a signature of the remote interface nor a class of messages that are"
              + " received leads to it (karmi.serialFilter)",
          name);
    }
  }

  private boolean isAllowed(Class<?> type) {
    return isValue(type)
        || isOfStub(type)
        || reachable.contains(type)
        || results && reachable.containsThrowable(type);
  }

  private static boolean isValue(Class<?> type) {
    return VALUES.contains(type.getName())
        || VALUE_PACKAGES.contains(type.getPackageName()) && ReachableTypes.isOfPlatform(type);
  }

  /** Whether stubs consist of objects of this class; the interfaces of a proxy are part of it. */
  public static boolean isOfStub(Class<?> type) {
    if (type == Proxy.class
        || STOCK_STUBS.contains(type.getName())
        || STUB_PACKAGES.contains(type.getPackageName())
        || RemoteStub.class.isAssignableFrom(type)) {
      return true;
    }
    if (!Proxy.isProxyClass(type)) {
      return type.isInterface() && Remote.class.isAssignableFrom(type);
    }
    for (Class<?> each : type.getInterfaces()) {
      if (!Remote.class.isAssignableFrom(each)) {
        return false;
      }
    }
    return true;
  }
}
