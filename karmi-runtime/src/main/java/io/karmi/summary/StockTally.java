package io.karmi.summary;

import io.karmi.reference.Node;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.server.RemoteCall;
import java.rmi.server.RemoteRef;
import java.rmi.server.RemoteServer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Counter of exports and calls that stay on stock RMI, with the reason. Counts nothing before
 * {@link Summary#begin}. Thread-safe.
 *
 * <p>The agent puts {@code takesInvoke} and {@code takesDispatch} in front of stock RMI's own
 * methods, as entry points that are never taken. Calls of registries are not counted.
 */
@SuppressWarnings("deprecation") // RemoteCall is what stock RMI dispatches
public final class StockTally {
  static final String FACTORIES = "socket factories";
  static final String FILTER = "a filter of its own";
  static final String OF_JDK = "an object of the JDK";
  static final String BEFORE = "exported before KaRMI came";
  static final String OTHER_END = "no KaRMI at the other end";

  /**
   * A reference does not say why its object is on stock RMI, where the host has KaRMI, too: there
   * is another JVM without it, or the export has a filter or a socket factory of the server's.
   */
  static final String UNCLEAR = "no KaRMI, filter, sockets";

  /** Names that are kept: a program may have any number of peers. */
  private static final int MAXIMUM = 1_000;

  private static final Pattern ENDPOINT = Pattern.compile("endpoint:\\[(.*):\\d+(,[^\\]]*)?\\]");

  private static volatile boolean counts;

  private StockTally() {}

  /** Who calls whom, and why not by KaRMI. */
  record Row(String peer, String reason, boolean served) {}

  /** A class with objects that are exported on stock RMI, and why. */
  record Export(String className, String reason) {}

  private static final class Tables {
    static final Set<Export> EXPORTS = ConcurrentHashMap.newKeySet();

    static final Map<Row, LongAdder> CALLS = new ConcurrentHashMap<>();
  }

  static void begin() {
    counts = true;
  }

  static Set<Export> exports() {
    return Tables.EXPORTS;
  }

  static Map<Row, LongAdder> calls() {
    return Tables.CALLS;
  }

  /** An object is about to be exported on stock RMI. */
  public static void exported(Remote object, boolean sockets, boolean filter, boolean ofJdk) {
    if (counts && Tables.EXPORTS.size() < MAXIMUM) {
      String reason = ofJdk ? OF_JDK : sockets ? FACTORIES : filter ? FILTER : BEFORE;
      Tables.EXPORTS.add(new Export(object.getClass().getName(), reason));
    }
  }

  /** Counts a call that stock RMI makes; false, so that it goes on. */
  public static boolean takesInvoke(
      Object reference, Remote stub, Method method, Object[] arguments, long hash) {
    try {
      Matcher endpoint = ENDPOINT.matcher(((RemoteRef) reference).remoteToString());
      if (endpoint.find()) {
        String reason =
            endpoint.group(2) != null
                ? FACTORIES
                : isOfJdk(method.getDeclaringClass()) ? OF_JDK : OTHER_END;
        count(new Row(endpoint.group(1), reason, false));
      }
    } catch (RuntimeException e) {
      /* The call goes on, and is not counted. */
    }
    return false;
  }

  /** Never called. */
  public static Object invoke(
      Object reference, Remote stub, Method method, Object[] arguments, long hash) {
    throw new IllegalStateException();
  }

  /** Counts a call that stock RMI executes; false, so that it goes on. */
  public static boolean takesDispatch(Object reference, Remote object, RemoteCall call) {
    Class<?> type = object.getClass();
    /* Collector and registries, which the JDK's runtime has for itself. */
    if (!type.getName().startsWith("sun.rmi.")) {
      try {
        Node node = Node.currentIfOpen();
        boolean onKarmi = node != null && node.exported(object) != null;
        String reason = onKarmi ? OTHER_END : isOfJdk(type) ? OF_JDK : whyExported(reference, type);
        count(new Row(RemoteServer.getClientHost(), reason, true));
      } catch (Exception e) {
        /* The call goes on, and is not counted. */
      }
    }
    return false;
  }

  /** Objects of one class may be exported in several ways; those with factories have a subclass. */
  private static String whyExported(Object reference, Class<?> type) {
    return reference.getClass().getName().equals("sun.rmi.server.UnicastServerRef2")
        ? FACTORIES
        : Tables.EXPORTS.contains(new Export(type.getName(), FILTER)) ? FILTER : BEFORE;
  }

  /** Never called. */
  public static void dispatch(Object reference, Remote object, RemoteCall call) {
    throw new IllegalStateException();
  }

  private static boolean isOfJdk(Class<?> type) {
    @Nullable String module = type.getModule().getName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  private static void count(Row row) {
    LongAdder known = Tables.CALLS.get(row);
    if (known == null && Tables.CALLS.size() < MAXIMUM) {
      known = Tables.CALLS.computeIfAbsent(row, each -> new LongAdder());
    }
    if (known != null) {
      known.increment();
    }
  }
}
