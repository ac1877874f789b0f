package io.karmi.reference;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.Arguments;
import io.karmi.technology.InCall;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.rmi.AccessException;
import java.rmi.ServerException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tells the tables of a node to callers of the same host, as a call of a well-known object. */
final class Inspection {
  /** The only method. The hash is of no Java method: its bytes spell KaRMITAB. */
  private static final RemoteInterface METHODS =
      RemoteInterface.ofHash("inspect()[Ljava/lang/String;", 0x4B61524D49544142L);

  private final Node node;

  Inspection(Node node) {
    this.node = node;
  }

  String[] ask(ObjectId target) throws IOException {
    try {
      Object answer =
          node.route(target).objectApplicationCall(target, METHODS, 0, Arguments.NONE, null);
      if (!(answer instanceof String[])) {
        throw new IOException("the node does not show its tables: it answers " + answer);
      }
      return (String[]) answer;
    } catch (ThrownByCallee e) {
      throw new IOException("the node does not show its tables", e.getCause());
    }
  }

  void answer(InCall call) throws IOException {
    call.in().endArguments();
    if (!isOfThisHost(call.clientHost())) {
      AccessException refused = new AccessException("tables are shown to the local host only");
      ServerRef.replyThrown(call, new ServerException("inspection refused", refused));
      return;
    }
    List<String> lines = new ArrayList<>();
    node.counters().forEach((name, value) -> lines.add(name + " " + value));
    lines.addAll(Arrays.asList(node.describeObjects()));
    call.out().beginResult();
    call.out().writeObject(lines.toArray(new String[0]));
  }

  private static boolean isOfThisHost(String host) throws IOException {
    InetAddress client = InetAddress.getByName(host);
    return client.isLoopbackAddress() || NetworkInterface.getByInetAddress(client) != null;
  }
}
