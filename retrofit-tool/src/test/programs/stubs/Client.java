package stubs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.MarshalledObject;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads stubs from files of a folder and calls them, or writes those that it has looked up. */
public final class Client {
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[1]);
    Registry registry = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[2]));
    switch (args[0]) {
      case "write" -> write(folder, registry);
      case "read" -> read(folder, registry);
      case "handed" -> readHanded(folder);
      default -> hold(folder);
    }
    System.exit(0);
  }

  private static void write(Path folder, Registry registry) throws Exception {
    Clock wall = (Clock) registry.lookup("wall");
    Streams.write(folder.resolve("stub"), wall);
    Clock tower = (Clock) registry.lookup("tower");
    Streams.write(folder.resolve("list"), new ArrayList<>(List.of(wall, tower, wall)));
    Streams.write(folder.resolve("registry"), registry);
    Streams.write(folder.resolve("marshalled"), new MarshalledObject<>(wall));
  }

  private static void read(Path folder, Registry registry) throws Exception {
    Clock live = (Clock) registry.lookup("wall");
    Clock stub = (Clock) Streams.read(folder.resolve("stub"));
    say("stub", stub.time());
    say("stub equals", stub.equals(live) && live.equals(stub) && stub.hashCode() == live.hashCode());
    List<?> list = (List<?>) Streams.read(folder.resolve("list"));
    say("list", ((Clock) list.get(0)).time() + ((Clock) list.get(1)).time());
    say("list same", list.get(0) == list.get(2) && !list.get(0).equals(list.get(1)));
    Registry read = (Registry) Streams.read(folder.resolve("registry"));
    say("registry", Arrays.toString(Arrays.stream(read.list()).sorted().toArray()));
    say("registry finds", read.lookup("wall").equals(live));
    Clock in = (Clock) marshalled(folder.resolve("marshalled"));
    say("marshalled", in.time());
    say("marshalled equals", in.equals(live) && live.equals(in));
    Streams.write(folder.resolve("again"), in);
    say("again", Streams.read(folder.resolve("again")).equals(in));
    if (Files.exists(folder.resolve("session"))) {
      readMore(folder);
    }
    calledBy(stub, in);
  }

  private static void readMore(Path folder) throws Exception {
    Server.Session session = (Server.Session) Streams.read(folder.resolve("session"));
    say("session", session.stub.time() + session.object.time());
    say("session object", session.object.getClass());
    UnicastRemoteObject.unexportObject(session.object, true);
    say("replaced", ((Clock) marshalled(folder.resolve("replaced"))).time());
    JMXServiceURL url = new JMXServiceURL(Files.readString(folder.resolve("url")));
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      say("beans", connector.getMBeanServerConnection().getMBeanCount() > 0);
    }
  }

  private static void readHanded(Path folder) throws Exception {
    Object[] handed = (Object[]) Streams.read(folder.resolve("handed"));
    say("handed over", ((Clock) handed[0]).time() + ((Clock) handed[3]).time());
    say("same", handed[0] == handed[1] && handed[0] == handed[2]);
  }

  private static Object marshalled(Path file) throws Exception {
    return ((MarshalledObject<?>) Streams.read(file)).get();
  }

  private static void hold(Path folder) throws Exception {
    Clock lost = (Clock) Streams.read(folder.resolve("lost"));
    System.out.println("held");
    new Scanner(System.in).next();
    System.out.println("then " + lost.time());
  }

  /** By which runtime the stubs call: not the same on both, so not compared. */
  private static void calledBy(Clock... stubs) {
    for (Clock each : stubs) {
      System.out.println("via " + (each.toString().contains(" of node ") ? "KaRMI" : "stock RMI"));
    }
  }

  private static void say(String what, Object result) {
    System.out.println(what + ": " + result);
  }
}
