package members;

import java.io.Serializable;
import java.math.BigDecimal;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.remoting.RemoteLookupFailureException;
import org.springframework.remoting.rmi.RmiProxyFactoryBean;
import org.springframework.remoting.rmi.RmiServiceExporter;

/**
 * A service by Spring's RMI, and on its way out of it: with an interface of the program's alone,
 * with one that is remote, or with RMI alone, without Spring.
 */
public final class PriceMain {
  private PriceMain() {}

  /** A price of something. */
  public record Price(String item, BigDecimal amount) implements Serializable {}

  /** What the service throws. */
  public static final class UnknownItemException extends Exception {
    private static final long serialVersionUID = 1;

    UnknownItemException(String item) {
      super("no price for " + item);
    }
  }

  /** As programs declare it that leave all of RMI to Spring. */
  public interface Prices {
    /** The price of an item. */
    Price of(String item) throws UnknownItemException;

    /** The prices of some items, by their names. */
    Map<String, Price> all(List<String> items) throws UnknownItemException;
  }

  /** The same, as RMI wants it. */
  public interface RemotePrices extends Remote {
    /** The price of an item. */
    Price of(String item) throws UnknownItemException, RemoteException;

    /** The prices of some items, by their names. */
    Map<String, Price> all(List<String> items) throws UnknownItemException, RemoteException;
  }

  /** The service, whichever way it is reached by. */
  static final class Table implements Prices, RemotePrices {
    @Override
    public Price of(String item) throws UnknownItemException {
      if (item.isEmpty()) {
        throw new UnknownItemException("nothing");
      }
      return new Price(item, new BigDecimal(item.length() + ".50"));
    }

    @Override
    public Map<String, Price> all(List<String> items) throws UnknownItemException {
      Map<String, Price> all = new TreeMap<>();
      for (String item : items) {
        all.put(item, of(item));
      }
      return all;
    }
  }

  private static final Table TABLE = new Table();

  /**
   * One end: {@code serve} or {@code call}; by {@code spring}, {@code remote} or {@code rmi}; port.
   */
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[2]);
    if (arguments[0].equals("serve")) {
      serve(arguments[1], port);
      System.out.println("= ready");
    } else {
      call(arguments[1], port);
    }
  }

  private static Class<?> type(String way) {
    return way.equals("spring") ? Prices.class : RemotePrices.class;
  }

  @SuppressWarnings("deprecation") // Spring 6 has none of it any more
  private static void serve(String way, int port) throws Exception {
    if (way.equals("rmi")) {
      Registry registry = LocateRegistry.createRegistry(port);
      registry.rebind("prices", UnicastRemoteObject.exportObject(TABLE, 0));
      return;
    }
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean(
        RmiServiceExporter.class,
        () -> {
          RmiServiceExporter exporter = new RmiServiceExporter();
          exporter.setServiceName("prices");
          exporter.setService(TABLE);
          exporter.setServiceInterface(type(way));
          exporter.setRegistryPort(port);
          return exporter;
        });
    context.refresh();
  }

  private static void call(String way, int port) throws Exception {
    if (way.equals("rmi")) {
      show((RemotePrices) LocateRegistry.getRegistry("127.0.0.1", port).lookup("prices"));
    } else if (way.equals("remote")) {
      show((RemotePrices) proxy(way, "rmi://127.0.0.1:" + port + "/prices"));
    } else {
      Prices prices = (Prices) proxy(way, "rmi://127.0.0.1:" + port + "/prices");
      show(
          new RemotePrices() {
            @Override
            public Price of(String item) throws UnknownItemException {
              return prices.of(item);
            }

            @Override
            public Map<String, Price> all(List<String> items) throws UnknownItemException {
              return prices.all(items);
            }
          });
      try {
        proxy(way, "rmi://127.0.0.1:" + port + "/others");
      } catch (RemoteLookupFailureException e) {
        System.out.println("= " + e.getClass().getSimpleName() + ' ' + e.getCause());
      }
    }
    System.exit(0);
  }

  @SuppressWarnings("deprecation") // Spring 6 has none of it any more
  private static Object proxy(String way, String url) {
    RmiProxyFactoryBean factory = new RmiProxyFactoryBean();
    factory.setServiceUrl(url);
    factory.setServiceInterface(type(way));
    factory.afterPropertiesSet();
    return factory.getObject();
  }

  private static void show(RemotePrices prices) throws Exception {
    System.out.println("= " + prices.of("tea"));
    System.out.println("= " + prices.all(List.of("tea", "coffee")));
    try {
      prices.of("");
    } catch (UnknownItemException e) {
      System.out.println("= " + e);
    }
  }
}
