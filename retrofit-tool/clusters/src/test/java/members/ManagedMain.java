package members;

import java.lang.management.ManagementFactory;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.Attribute;
import javax.management.MBeanException;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;

/** A program that is managed by JMX, and a console for it. */
public final class ManagedMain {
  private ManagedMain() {}

  /** What is managed. */
  public interface ShopMXBean {
    /** The items that there are. */
    int getItems();

    /** Sets their number. */
    void setItems(int items);

    /** A table of them. */
    Map<String, Integer> getTable();

    /** Always fails. */
    void fail();
  }

  /** The program's own remote object. */
  public interface Till extends Remote {
    /** Counts calls. */
    int ring() throws RemoteException;
  }

  private static final class Shop implements ShopMXBean {
    private int items = 3;

    @Override
    public synchronized int getItems() {
      return items;
    }

    @Override
    public synchronized void setItems(int items) {
      this.items = items;
    }

    @Override
    public synchronized Map<String, Integer> getTable() {
      return new TreeMap<>(Map.of("tea", items, "coffee", 7));
    }

    @Override
    public void fail() {
      throw new IllegalStateException("out of order");
    }
  }

  private static final AtomicInteger RINGS = new AtomicInteger();
  private static final Till TILL = RINGS::incrementAndGet;

  /** Kept from the collector. */
  private static Registry registry;

  /**
   * {@code serve [port of all] [connector]}, {@code ring <port>}, or {@code console <connector>
   * [user]}.
   */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "serve":
        serve(arguments);
        break;
      case "ring":
        int port = Integer.parseInt(arguments[1]);
        Till till = (Till) LocateRegistry.getRegistry("127.0.0.1", port).lookup("till");
        System.out.println("= rung " + till.ring());
        System.exit(0);
        break;
      default:
        console(arguments);
        System.exit(0);
    }
  }

  private static void serve(String[] arguments) throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    beans.registerMBean(new Shop(), new ObjectName("members:type=Shop"));
    if (arguments.length > 1) {
      int port = Integer.parseInt(arguments[1]);
      registry = LocateRegistry.createRegistry(port);
      registry.rebind("till", UnicastRemoteObject.exportObject(TILL, port));
      JMXServiceURL url = new JMXServiceURL(arguments[2]);
      JMXConnectorServer connector =
          JMXConnectorServerFactory.newJMXConnectorServer(url, null, beans);
      connector.start();
    }
    System.out.println("= ready");
    while (System.in.read() >= 0) {
      continue; // until the test ends
    }
  }

  private static void console(String[] arguments) throws Exception {
    Map<String, Object> environment = new TreeMap<>();
    if (arguments.length > 2) {
      environment.put(JMXConnector.CREDENTIALS, new String[] {arguments[2], "secret"});
    }
    JMXServiceURL url = new JMXServiceURL(arguments[1]);
    try (JMXConnector connector = JMXConnectorFactory.connect(url, environment)) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      ObjectName shop = new ObjectName("members:type=Shop");
      beans.setAttribute(shop, new Attribute("Items", 5));
      System.out.println("= items " + beans.getAttribute(shop, "Items"));
      System.out.println("= table " + beans.getAttribute(shop, "Table"));
      System.out.println("= names " + beans.queryNames(new ObjectName("members:*"), null));
      try {
        beans.invoke(shop, "fail", new Object[0], new String[0]);
      } catch (MBeanException | RuntimeException e) {
        System.out.println("= failed " + e + " " + e.getCause());
      }
    }
  }
}
