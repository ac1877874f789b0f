package stubs;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/** Exports objects, and writes their stubs into files of a folder. */
public final class Server {
  /** Whose field is a remote object: a plain stream writes that itself, no stub. */
  static final class Session implements Serializable {
    private static final long serialVersionUID = 1;
    final Clock stub;
    final Clock object;

    Session(Clock stub, Clock object) {
      this.stub = stub;
      this.object = object;
    }
  }

  static final class Wall implements Clock {
    @Override
    public String time() {
      return "wall";
    }
  }

  static final class Tower extends UnicastRemoteObject implements Clock {
    private static final long serialVersionUID = 1;

    Tower() throws RemoteException {}

    @Override
    public String time() {
      return "tower";
    }
  }

  private static Wall lost = new Wall();

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int port = Integer.parseInt(args[1]);
    Wall wall = new Wall();
    Tower tower = new Tower();
    Clock stub = (Clock) UnicastRemoteObject.exportObject(wall, 0);
    Registry registry = LocateRegistry.createRegistry(port);
    registry.rebind("wall", stub);
    registry.rebind("tower", tower);
    Streams.write(folder.resolve("stub"), stub);
    Remote towers = RemoteObject.toStub(tower);
    Streams.write(folder.resolve("list"), new ArrayList<>(List.of(stub, towers, stub)));
    Streams.write(folder.resolve("session"), new Session(stub, tower));
    Streams.write(folder.resolve("registry"), LocateRegistry.getRegistry("127.0.0.1", port));
    Streams.write(folder.resolve("marshalled"), new MarshalledObject<>(stub));
    Streams.write(folder.resolve("replaced"), new MarshalledObject<>(tower));
    Streams.writeWithStubs(folder.resolve("handed"), new Object[] {wall, stub, wall, towers});
    Streams.write(folder.resolve("lost"), UnicastRemoteObject.exportObject(lost, 0));
    JMXConnectorServer beans =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi://"),
            null,
            ManagementFactory.getPlatformMBeanServer());
    beans.start();
    Files.writeString(folder.resolve("url"), beans.getAddress().toString());
    System.out.println("ready");
    Scanner commands = new Scanner(System.in);
    while (commands.hasNext()) {
      if (commands.next().equals("lose")) {
        WeakReference<Wall> reference = new WeakReference<>(lost);
        lost = null;
        for (int i = 0; i < 3; i++) {
          System.gc();
        }
        System.out.println("kept " + (reference.get() != null));
      }
    }
    System.out.println(wall.time() + tower.time());
    System.exit(0);
  }
}
