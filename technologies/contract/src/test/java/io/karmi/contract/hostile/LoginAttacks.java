package io.karmi.contract.hostile;

import java.io.IOException;
import java.util.List;

/** Attacks on the object of a JMX connector server that lets clients in by their credentials. */
final class LoginAttacks {
  private static final long NEW_CLIENT =
      Methods.hash("newClient(Ljava/lang/Object;)Ljavax/management/remote/rmi/RMIConnection;");

  private LoginAttacks() {}

  /**
   * Those on one server.
   *
   * @param server number of its object
   */
  static List<Attack> on(long server) {
    return List.of(
        new Attack("logins that fail", target -> fail(target, server)),
        new Attack("credentials that are a gadget", target -> gadget(target, server)),
        new Attack("credentials that are long and do not end", target -> unended(target, server)),
        new Attack("credentials of many objects", target -> many(target, server)));
  }

  private static void fail(Target target, long server) throws IOException {
    RawPeer peer = target.introduced();
    for (int i = target.between(1, 60); i > 0; i--) {
      peer.call(server, NEW_CLIENT, Forged.string("user" + target.random().nextInt()).toArray());
    }
  }

  private static void gadget(Target target, long server) throws IOException {
    target.introducedForJdk().call(server, NEW_CLIENT, JdkAttacks.objects(new Besieged.Gadget()));
  }

  private static void unended(Target target, long server) throws IOException {
    RawPeer peer = target.introduced();
    WireBytes body = peer.request(server, NEW_CLIENT);
    body.raw(Forged.beginOfString(target.between(1 << 16, 1 << 28), target.between(0, 1 << 14)));
    peer.frame(RawPeer.CALL | RawPeer.MORE, body.toArray());
  }

  private static void many(Target target, long server) throws IOException {
    int sets = target.between(1, 100_000);
    target.introduced().call(server, NEW_CLIENT, Attacks.sets(sets).toArray());
  }
}
