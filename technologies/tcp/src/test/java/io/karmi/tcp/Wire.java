package io.karmi.tcp;

import io.karmi.contract.Callee;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the tests of this package have in common. */
final class Wire {
  static final ClassLoader LOADER = Wire.class.getClassLoader();

  private Wire() {}

  /** A node whose object returns the int that it is given, plus one. */
  static Callee successor() {
    return new Callee(
        (call, in, out) -> {
          int value = in.readInt();
          in.endArguments();
          out.beginResult();
          out.writeInt(value + 1);
        });
  }

  /** The same, which answers nobody before so many callers are there at once. */
  static Callee successorFor(int callers) {
    CountDownLatch allThere = new CountDownLatch(callers);
    return new Callee(
        (call, in, out) -> {
          int value = in.readInt();
          in.endArguments();
          allThere.countDown();
          if (!allThere.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(allThere.getCount() + " callers are missing");
          }
          out.beginResult();
          out.writeInt(value + 1);
        });
  }

  /** A node that only calls. */
  static Callee caller() {
    return new Callee(
        (call, in, out) -> {
          throw new IOException("nobody calls here");
        });
  }

  static TcpTechnology open(UpCall upCall, String... settings) {
    Map<String, String> chosen = new java.util.HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      chosen.put(settings[i], settings[i + 1]);
    }
    return new TcpTechnology(upCall, TcpSettings.from(chosen::get));
  }

  static ObjectId object(Callee node, TechnologyId way) {
    return new ObjectId(node.node(), Callee.OBJECT, way);
  }

  /** Whatever listens at a port of this host. */
  static ObjectId anybody(TcpTechnology from, int port) {
    return new ObjectId(NodeId.UNKNOWN, ObjectId.REGISTRY, from.locate("localhost", port));
  }

  static int next(Technology from, ObjectId target, int value) throws Exception {
    Arguments one =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeInt(value);
          }
        };
    return from.intApplicationCall(target, Callee.METHODS, 0, one, LOADER);
  }

  static int port(TechnologyId id) {
    return Address.parseList(id.address()).get(0).port;
  }

  static Socket connect(TechnologyId id) throws IOException {
    Socket socket = new Socket("localhost", port(id));
    socket.setSoTimeout(20_000);
    return socket;
  }
}
