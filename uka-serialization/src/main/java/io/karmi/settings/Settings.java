package io.karmi.settings;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All settings: KaRMI's own, and those of the JDK's RMI that KaRMI follows. docs/settings.md is
 * written from these rows.
 *
 * <p>To add a setting, add a row here, and read it where it is needed. A user can master some 25:
 * derive a number where that is possible.
 */
public final class Settings {
  private static final long MAXIMUM_MILLIS = Long.MAX_VALUE / 2_000_000;
  private static final long MAXIMUM_INT = Integer.MAX_VALUE;
  private static final long HEAP = Runtime.getRuntime().maxMemory();

  private static final long BYTES_PER_CONNECTION = 256 * 1024;
  private static final long MINIMUM_CONNECTIONS = 256;
  private static final long MAXIMUM_CONNECTIONS = 10_000;

  /** Bytes of the heap that are kept for the rest of a small program. */
  private static final long KEPT_BYTES = 16 << 20;

  /** Processes wait this long for a sign of life at least; three of them are sent in this time. */
  private static final long MINIMUM_KEEP_ALIVE_MILLIS = 1_000;

  /** Filled by the rows below, so this comes first. */
  private static final List<Setting> ROWS = new ArrayList<>();

  /** System properties, and environment variables where these are not set. */
  public static final UnaryOperator<@Nullable String> SYSTEM = Setting.SYSTEM;

  // Which peers, and how they are reached

  public static final TextSetting TLS =
      row(
              "karmi.tls",
              "`false`",
              "security.md#tls",
              "a properties file, by which every connection of the node uses TLS with certificates on"
                  + " both ends; `true`: those of the `javax.net.ssl` properties")
          .security()
          .text("false, true, or a properties file");

  public static final WordSetting SERIAL_FILTER =
      row(
              "karmi.serialFilter",
              "`none`",
              "security.md#deserialization-filters",
              "`interface`: arguments and results may only be of types that the remote interfaces"
                  + " lead to")
          .security()
          .words("interface", "none");

  public static final WordSetting FORMAT =
      row(
              "karmi.format",
              "`uka`",
              "networks.md#formats-of-calls",
              "how objects are marshalled in calls; `uka`: in no other format; `jdk`: prefers the"
                  + " JDK's, and knows both")
          .security()
          .words("uka", "jdk");

  public static final TextSetting TECHNOLOGIES =
      row(
              "karmi.technologies",
              "all that are there",
              "networks.md",
              "names of the networks to use, separated by commas: `tcp`, `uds`, `shm`, and `ucx` with"
                  + " `karmi-ucx.jar`")
          .security()
          .text("names of networks, separated by commas");

  public static final WordSetting JRMP =
      row(
              "karmi.jrmp",
              "`true`",
              "networks.md#peers-without-karmi",
              "`false`: programs without KaRMI may not call this node's objects")
          .security()
          .flag();

  public static final WordSetting REMOTE_WRITES =
      row(
              "karmi.registry.remoteWrites",
              "`false`",
              "security.md#registries",
              "`true`: hosts other than its own may bind in a registry; looked at in each call")
          .security()
          .flag();

  public static final WordSetting MESSAGES_OPEN =
      row(
              "karmi.messaging.open",
              "`false`",
              "messaging.md#who-may-send",
              "`true`: nodes may send messages that were given no reference to an object of this"
                  + " node")
          .security()
          .flag();

  public static final WordSetting BRIDGE =
      row(
              "karmi.bridge",
              "`false`",
              "networks.md#bridges",
              "`true`: this node forwards calls between nodes that have no network in common")
          .flag();

  public static final TextSetting UDS_DIRECTORY =
      row(
              "karmi.uds.directory",
              "`karmi` in `XDG_RUNTIME_DIR`, else `karmi-` and the user's name in `java.io.tmpdir`",
              "networks.md#unix-domain-sockets",
              "directory of the sockets of this user's processes, made with mode 0700; not used if it"
                  + " has another mode or another owner")
          .text("a directory");

  public static final TextSetting UCX_SECRET =
      row(
              "karmi.ucx.secret",
              "`.karmi/ucx-secret` in `user.home`",
              "networks.md#ucx",
              "file of 16 to 4,096 bytes that only its owner may read; nodes meet over UCX only with"
                  + " the same")
          .internal()
          .text("a file");

  // How much

  public static final NumberSetting MAX_CONNECTIONS =
      row(
              "karmi.maxConnections",
              "heap / 256 KiB, 256 to 10,000, at most a quarter of the files that may be open"
                  + " (`sun.rmi.transport.tcp.maxConnectionThreads`)",
              "connections.md#connections",
              "open connections of other nodes for each network, those in their handshake included;"
                  + " each has one thread. One host may have seven eighths of them")
          .security()
          .orElse("sun.rmi.transport.tcp.maxConnectionThreads")
          .number(
              Math.max(
                  MINIMUM_CONNECTIONS, Math.min(MAXIMUM_CONNECTIONS, HEAP / BYTES_PER_CONNECTION)),
              1,
              MAXIMUM_INT);

  public static final NumberSetting MAX_CONNECTIONS_PER_HOST =
      row(
              "karmi.maxConnectionsPerHost",
              "seven eighths of `karmi.maxConnections`",
              "connections.md#connections",
              "how many of these one address may have")
          .security()
          .internal()
          .number(-1, 1, MAXIMUM_INT);

  public static final NumberSetting MAX_MESSAGE_BYTES =
      row(
              "karmi.maxMessageBytes",
              "a quarter of the maximum heap",
              "connections.md#sizes-and-rates",
              "bytes of one call, reply or message; of a message at most 2 GiB")
          .security()
          .number(HEAP / 4, 1_000, Long.MAX_VALUE);

  public static final NumberSetting MAX_UNFINISHED_BYTES =
      row(
              "karmi.maxUnfinishedBytes",
              "half of the maximum heap less 16 MB, at least three eighths",
              "connections.md#memory-of-messages-that-have-not-been-read",
              "bytes of memory that all messages of the JVM may take together until they have been"
                  + " read")
          .security()
          .number(Math.max(HEAP / 8 * 3, HEAP / 2 - KEPT_BYTES), 64 * 1024, Long.MAX_VALUE);

  public static final NumberSetting MAX_BYTES_PER_SECOND_PER_HOST =
      row(
              "karmi.maxBytesPerSecondPerHost",
              "0: no limit",
              "connections.md#sizes-and-rates",
              "bytes of calls and messages that are read each second from all TCP connections of one"
                  + " address together; what comes faster waits")
          .security()
          .number(0, 0, Long.MAX_VALUE);

  // How long

  public static final NumberSetting CALL_TIMEOUT =
      row(
              "karmi.callTimeout",
              "0: none",
              "calls.md#deadlines",
              "ms for a whole call, connecting and reading its result included")
          .number(0, 0, MAXIMUM_MILLIS);

  public static final NumberSetting CONNECT_TIMEOUT =
      row(
              "karmi.connectTimeout",
              "10,000",
              "connections.md#connections",
              "ms to open a connection; 0: as long as the system tries")
          .number(10_000, 0, MAXIMUM_INT);

  public static final NumberSetting HANDSHAKE_TIMEOUT =
      row(
              "karmi.handshakeTimeout",
              "60,000 (`sun.rmi.transport.tcp.handshakeTimeout`)",
              "connections.md#connections",
              "ms for the handshake, TLS included")
          .internal()
          .orElse("sun.rmi.transport.tcp.handshakeTimeout")
          .number(60_000, 0, MAXIMUM_INT);

  public static final NumberSetting IDLE_TIMEOUT =
      row(
              "karmi.idleTimeout",
              "15,000 (`sun.rmi.transport.connectionTimeout`)",
              "connections.md#connections",
              "ms until an unused connection is closed")
          .internal()
          .orElse("sun.rmi.transport.connectionTimeout")
          .number(15_000, 0, MAXIMUM_INT);

  public static final NumberSetting READ_TIMEOUT =
      row(
              "karmi.readTimeout",
              "7,200,000 (`sun.rmi.transport.tcp.readTimeout`)",
              "connections.md#connections",
              "ms until a callee closes a connection on which nothing arrives; 0: never")
          .internal()
          .orElse("sun.rmi.transport.tcp.readTimeout")
          .number(7_200_000, 0, MAXIMUM_INT);

  public static final NumberSetting MESSAGE_TIMEOUT =
      row(
              "karmi.messageTimeout",
              "60,000",
              "connections.md#sizes-and-rates",
              "ms in which a peer must go on with a call or message that it has begun to send, for"
                  + " each 64 KiB; 0: no limit")
          .number(60_000, 0, MAXIMUM_MILLIS);

  public static final NumberSetting WRITE_TIMEOUT =
      row(
              "karmi.writeTimeout",
              "60,000",
              "connections.md#sizes-and-rates",
              "ms until a peer is given up that accepts none of the bytes that are sent to it; 0:"
                  + " never")
          .number(60_000, 0, MAXIMUM_MILLIS);

  public static final NumberSetting KEEP_ALIVE =
      row(
              "karmi.keepAlive",
              "30,000",
              "calls.md#keep-alive",
              "ms without a sign of life of the callee's process until a waiting call is given up; 0:"
                  + " never. In an exchange space the time for which a directory that cannot be"
                  + " reached is waited for, and the holder of a group that sends nothing")
          .numberOrZero(30_000, MINIMUM_KEEP_ALIVE_MILLIS, MAXIMUM_INT);

  public static final NumberSetting DRAIN_ON_EXIT =
      row(
              "karmi.drainOnExit",
              "0: nothing",
              "calls.md#graceful-shutdown",
              "ms that a JVM which exits lets running calls of others, and messages, end")
          .number(0, 0, MAXIMUM_MILLIS);

  public static final NumberSetting REQUEST_TIMEOUT =
      row(
              "karmi.messaging.requestTimeout",
              "60,000",
              "messaging.md#settings",
              "ms until a request fails that was not answered; 0: never")
          .internal()
          .number(60_000, 0, MAXIMUM_MILLIS);

  // How calls are made

  public static final WordSetting INTERRUPTIBLE =
      row(
              "karmi.interruptible",
              "`false`",
              "calls.md#interrupts",
              "`true`: an interrupted caller stops waiting")
          .flag();

  public static final WordSetting VIRTUAL_THREADS =
      row(
              "karmi.virtualThreads",
              "`false`",
              "calls.md#virtual-threads",
              "`true`: calls of others run on virtual threads, on JDK 21 and later; over TCP only")
          .flag();

  public static final WordSetting CODE_GENERATION =
      row(
              "karmi.codegen",
              "`on`",
              "stubs.md",
              "`off`: no class is generated at run time, neither stubs nor marshalers")
          .ofStreams()
          .words("on", "off");

  public static final TextSetting COLLECTOR =
      row(
              "karmi.dgc",
              "`lease`",
              "networks.md#distributed-garbage-collection",
              "`lease`, or `counting` where connections last as long as the processes at their ends")
          .text("lease, counting, or another strategy on the class path");

  public static final WordSetting JMX =
      row(
              "karmi.jmx",
              "`auto`",
              "monitoring.md#jmx",
              "`auto`: a bean once JMX is used; `true`: JMX is started with the node; `false`: no"
                  + " bean")
          .internal()
          .words("auto", "true", "false");

  // Object streams

  public static final WordSetting STREAM_FORMAT =
      row(
              "uka.format",
              "`jdk`; `uka` for a stream that is made by UKA's name",
              "swapping-in.md#what-the-streams-write",
              "what the program's object streams write; they read both")
          .security()
          .words("uka", "jdk");

  public static final WordSetting STREAM_TYPES =
      row(
              "uka.types",
              "`full`",
              "differences.md",
              "how classes are described in UKA's format: `slim` for readers with the same classes")
          .security()
          .words("full", "slim");

  public static final TextSetting ACCESS =
      row("uka.access", "what works", "how-it-reads.md", "how the fields of classes are reached")
          .internal()
          .text("a way to reach fields");

  public static final WordSetting TRACE =
      row("uka.trace", "nothing", "how-it-reads.md", "`access`: prints how fields are reached")
          .internal()
          .words("access");

  // The exchange space

  public static final TextSetting EXCHANGE_DIRECTORY =
      row(
              "karmi.exchange.dir",
              "`/dev/shm`, else `java.io.tmpdir`",
              "exchange.md#files",
              "folder in which the directory with the groups of a space is made, with mode 0700; not"
                  + " used if it has another mode or another owner")
          .text("a directory");

  public static final TextSetting EXCHANGE_STORE =
      row(
              "karmi.exchange.store",
              "`.karmi/exchange` in `user.home`",
              "exchange.md#files",
              "folder of the groups that are stored")
          .text("a directory");

  public static final WordSetting EXCHANGE_KEEP =
      row(
              "karmi.exchange.keep",
              "`true`",
              "exchange.md#life-of-a-group",
              "`false`: the keys that this JVM has bound end with it")
          .flag();

  public static final WordSetting EXCHANGE_CHECK =
      row(
              "karmi.exchange.check",
              "`false`",
              "exchange.md#objects-are-shared",
              "`true`: for tests, looks at each use whether a shared object was changed")
          .flag();

  public static final WordSetting EXCHANGE_DEDUP =
      row(
              "karmi.exchange.dedup",
              "`false`",
              "exchange.md#objects-of-other-groups",
              "`true`: a group refers to the strings and arrays that came from another group in"
                  + " place of a copy")
          .flag();

  public static final TextSetting EXCHANGE_LOGIN =
      row(
              "karmi.exchange.login",
              "none",
              "exchange.md#zookeeper",
              "file with `user:password` for ZooKeeper, whose nodes are then that user's alone")
          .security()
          .text("a file");

  // For tests: sizes of messaging, which are derived from the heap and the processors

  public static final NumberSetting WINDOW =
      row("karmi.messaging.window", "524,288", "messaging.md", "bytes under way to one node")
          .internal()
          .number(512 * 1024, 4 * 1024, 1 << 30);

  public static final NumberSetting RING =
      internal("karmi.internal.messagingRing").number(1 << 20, 128 * 1024, 1 << 30);

  public static final NumberSetting LANES =
      internal("karmi.internal.messagingLanes").number(-1, 2, 16);

  public static final NumberSetting HANDLERS =
      internal("karmi.internal.messagingHandlers").number(-1, 1, 10_000);

  /** Patience of an exchange space, in milliseconds; negative: that of calls. */
  public static final NumberSetting EXCHANGE_TIMEOUT =
      internal("karmi.internal.exchangeTimeout").number(-1, 1, MAXIMUM_INT);

  public static final NumberSetting EXCHANGE_PIECE =
      internal("karmi.internal.exchangePiece").number(1 << 20, 1 << 12, 1 << 26);

  public static final NumberSetting MAX_HANDLERS =
      internal("karmi.internal.messagingMaxHandlers").number(256, 1, 100_000);

  public static final NumberSetting MAX_LINKS =
      internal("karmi.internal.messagingMaxLinks").number(100, 1, 1_000_000);

  public static final NumberSetting MAX_ACCEPTED_LINKS =
      internal("karmi.internal.messagingMaxAccepted").number(-1, 1, 1_000_000);

  public static final NumberSetting MAX_PENDING_CALLS =
      internal("karmi.internal.maxPendingCalls").number(1_000, 1, MAXIMUM_INT);

  public static final NumberSetting MAX_BRIDGED_OBJECTS =
      internal("karmi.internal.maxBridgedObjects").number(-1, 0, MAXIMUM_INT);

  public static final TextSetting COLLECTOR_OF_ONE =
      internal("karmi.internal.collectors").text("a network, =, and a strategy");

  public static final NumberSetting SPIN_MICROS =
      row("karmi.spinMicros", "20 over memory", "networks.md", "µs without sleep")
          .internal()
          .number(-1, 0, 1_000_000);

  // The JDK's, which KaRMI follows

  public static final TextSetting HOST_NAME =
      row(
              "java.rmi.server.hostname",
              "the machine's addresses",
              "networks.md",
              "the host by which references name this node; looked at in each export")
          .text("a host");

  public static final NumberSetting RESPONSE_TIMEOUT =
      row(
              "sun.rmi.transport.tcp.responseTimeout",
              "0: none",
              "calls.md#deadlines",
              "ms that a caller waits for the next bytes of a reply")
          .number(0, 0, MAXIMUM_INT);

  public static final NumberSetting LEASE =
      row(
              "java.rmi.dgc.leaseValue",
              "600,000",
              "networks.md#distributed-garbage-collection",
              "ms for which an object is kept for a holder that does not renew its lease; at least"
                  + " 200, at most a year")
          .number(600_000, Long.MIN_VALUE, Long.MAX_VALUE);

  public static final NumberSetting CLIENT_COLLECTIONS =
      row(
              "sun.rmi.dgc.client.gcInterval",
              "0: never",
              "networks.md#distributed-garbage-collection",
              "ms between garbage collections that the runtime asks for; the shorter of the two")
          .number(0, Long.MIN_VALUE, Long.MAX_VALUE);

  public static final NumberSetting SERVER_COLLECTIONS =
      row(
              "sun.rmi.dgc.server.gcInterval",
              "0: never",
              "networks.md#distributed-garbage-collection",
              "the same")
          .number(0, Long.MIN_VALUE, Long.MAX_VALUE);

  private Settings() {}

  /** Whether all connections of this process use TLS. */
  public static boolean isTlsOn() {
    return isTlsOn(TLS.get());
  }

  /** Whether a value of {@code karmi.tls} turns TLS on. */
  public static boolean isTlsOn(@Nullable String value) {
    return value != null && !value.equals("false");
  }

  /**
   * For a command that asks a node: gives each way of waiting for it this end, unless the user has
   * given one. Before the runtime starts.
   */
  public static void waitAtMost(int millis) {
    for (Setting each : List.of(CONNECT_TIMEOUT, HANDSHAKE_TIMEOUT, CALL_TIMEOUT)) {
      each.setUnlessGiven(Integer.toString(millis));
    }
  }

  private static SettingRow row(String name, String byDefault, String page, String meaning) {
    return new SettingRow(ROWS, name, byDefault, page, meaning);
  }

  private static SettingRow internal(String name) {
    return row(name, "derived", "", "for tests").internal();
  }

  /** All rows, in no order. */
  public static List<Setting> all() {
    return Collections.unmodifiableList(ROWS);
  }
}
