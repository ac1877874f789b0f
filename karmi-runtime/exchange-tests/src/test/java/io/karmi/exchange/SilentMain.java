package io.karmi.exchange;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.remote.Membership;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.messaging.Address;
import io.karmi.rmi.Naming;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Members, each of another host, whose addresses accept connections and never say a word. */
public final class SilentMain {
  private static final GroupAddress[] NONE = {};

  private SilentMain() {}

  /**
   * The program. It says the address of another group, which all of them say that they have.
   *
   * @param arguments URL of the space; a group that all but one of them say that they have
   */
  public static void main(String... arguments) throws Exception {
    MetadataServer server = (MetadataServer) Naming.lookup(arguments[0]);
    GroupAddress good = GroupAddress.parse(arguments[1]);
    List<ServerSocket> sockets = new ArrayList<>(); // strong
    List<Membership> members = new ArrayList<>();
    GroupAddress lost = new GroupAddress(1 << 20, 1 << 24, good.generation());
    for (int i = 0; i < Directory.MAXIMUM_SOURCES; i++) {
      ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      MetadataServer.Registration registered =
          server.register(Address.at("127.0.0.1", socket.getLocalPort()), 0, true);
      members.add(registered.membership());
      registered.membership().begin(new Random().nextLong());
      GroupAddress[] held = i == 0 ? new GroupAddress[] {lost} : new GroupAddress[] {lost, good};
      registered
          .membership()
          .update(
              new Report(held, new int[held.length], NONE, NONE, new Report.Dependency[0], held));
    }
    System.out.println("holds " + lost);
    while (true) {
      for (Membership each : members) {
        each.update(Report.EMPTY);
      }
      Thread.sleep(1000);
    }
  }
}
