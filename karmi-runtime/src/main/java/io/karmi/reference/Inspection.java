package io.karmi.reference;

import io.karmi.guard.StuckThreads;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.reference.network.Technologies;
import io.karmi.settings.SettingsInForce;
import io.karmi.technology.InCall;
import io.karmi.technology.PeerCalls;
import io.karmi.technology.Technology;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.rmi.AccessException;
import java.rmi.ServerException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Well-known object that shows the tables of a node to callers of the same host, and to others only
 * that the node is there.
 */
final class Inspection {
  private static final ObjectInputFilter LINES = new AnswerFilter(type -> false, Integer.MAX_VALUE);

  /** The tables. The hash is of no Java method: its bytes spell KaRMITAB. */
  static final RemoteInterface METHODS =
      RemoteInterface.ofHash("inspect()[Ljava/lang/String;", 0x4B61524D49544142L, LINES);

  /** By which ways the node is reached. The bytes of the hash spell KaRMIWAY. */
  static final RemoteInterface WAYS =
      RemoteInterface.ofHash("ways()[Ljava/lang/String;", 0x4B61524D49574159L, LINES);

  /** The settings in force. The bytes of the hash spell KaRMISET. */
  private static final RemoteInterface SETTINGS =
      RemoteInterface.ofHash("settings[Ljava/lang/String;", 0x4B61524D49534554L, LINES);

  /** Does nothing. The bytes of the hash spell KaRMIPNG. */
  static final RemoteInterface PING = RemoteInterface.ofHash("ping()V", 0x4B61524D49504E47L, LINES);

  /** The settings that were in force when the node was made. */
  final SettingsInForce settings;

  private final HomeNode node;
  private final Technologies technologies;
  private final ExportTable exports;
  private final Collectors collectors;

  Inspection(HomeNode node, Technologies technologies, ExportTable exports, Collectors collectors) {
    this.settings = SettingsInForce.now();
    this.node = node;
    this.technologies = technologies;
    this.exports = exports;
    this.collectors = collectors;
  }

  /** Counters of the node and its technologies, by name. */
  Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("exportedObjects", (long) exports.all().size());
    counters.put("callsRefused", node.watching().refused());
    counters.put("objectsRefused", InterfaceFilter.rejections());
    counters.put("threadsStuck", StuckThreads.count());
    counters.put("referencedObjects", (long) collectors.heldObjects());
    for (Technology technology : technologies) {
      technology
          .counters()
          .forEach((name, value) -> counters.put(technology.name() + "." + name, value));
    }
    return counters;
  }

  /** The calls of each technology, by its name and by peer. */
  Map<String, Collection<PeerCalls>> callsByPeer() {
    Map<String, Collection<PeerCalls>> calls = new LinkedHashMap<>();
    for (Technology technology : technologies) {
      calls.put(technology.name(), technology.callsByPeer());
    }
    return calls;
  }

  /** One line for each exported object: number, class, interfaces, what keeps it alive. */
  String[] describeObjects() {
    return exports.all().stream().map(ServerRef::describe).sorted().toArray(String[]::new);
  }

  /** Asks another node for its tables. */
  String[] ask(ObjectId target) throws IOException {
    return ask(node, target, METHODS);
  }

  String[] askForSettings(ObjectId target) throws IOException {
    return ask(node, target, SETTINGS);
  }

  /** Asks a node, by the means of another one. */
  static String[] ask(HomeNode node, ObjectId target, RemoteInterface what) throws IOException {
    try {
      Object answer =
          node.route(target).objectApplicationCall(target, what, 0, Arguments.NONE, null);
      if (!(answer instanceof String[])) {
        throw new IOException("the node does not show its tables: it answers " + answer);
      }
      return (String[]) answer;
    } catch (ThrownByCallee e) {
      throw new IOException("the node does not show its tables", e.getCause());
    }
  }

  void answer(InCall call) throws IOException {
    long asked = call.callerInterface().methodHash(call.methodNumber());
    call.in().endArguments();
    if (asked == PING.methodHash(0)) {
      call.out().beginResult();
      return;
    }
    if (asked == WAYS.methodHash(0)) {
      reply(call, isOfThisHost(call.clientHost()) ? ways() : List.of(way(call)));
      return;
    }
    if (!isOfThisHost(call.clientHost())) {
      AccessException refused = new AccessException("tables are shown to the local host only");
      Replies.thrown(call, new ServerException("inspection refused", refused));
      return;
    }
    if (asked == SETTINGS.methodHash(0)) {
      reply(call, List.of(settings.lines()));
      return;
    }
    List<String> lines = new ArrayList<>();
    counters().forEach((name, value) -> lines.add(name + " " + value));
    lines.addAll(Arrays.asList(describeObjects()));
    reply(call, lines);
  }

  private static void reply(InCall call, List<String> lines) throws IOException {
    call.out().beginResult();
    call.out().writeObject(lines.toArray(new String[0]));
  }

  private static String way(InCall call) {
    TechnologyId end = call.endpoint();
    return end == null ? call.technology() : text(end);
  }

  private static String text(TechnologyId way) {
    return way.technology() + " " + way.address();
  }

  /**
   * One for each technology. Names of local sockets are only for processes that could find them.
   */
  private List<String> ways() {
    Map<String, String> ways = new LinkedHashMap<>();
    for (ServerRef each : exports.all()) {
      for (int i = 0; i < each.id().technologyCount(); i++) {
        TechnologyId way = each.id().technology(i);
        ways.putIfAbsent(way.technology(), text(way));
      }
    }
    return List.copyOf(ways.values());
  }

  private static boolean isOfThisHost(String host) throws IOException {
    InetAddress client = InetAddress.getByName(host);
    return client.isLoopbackAddress() || NetworkInterface.getByInetAddress(client) != null;
  }
}
