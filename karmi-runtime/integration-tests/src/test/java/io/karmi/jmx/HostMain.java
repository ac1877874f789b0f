package io.karmi.jmx;

import java.lang.management.ManagementFactory;
import java.rmi.registry.LocateRegistry;
import java.util.HashMap;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXPrincipal;
import javax.management.remote.JMXServiceURL;
import javax.security.auth.Subject;

/**
 * A program with a bean, and with both connectors to it. Arguments: the stock connector's port, and
 * settings of the connectors, {@code name=value}; a list of types has commas. Commands on standard
 * input: {@code s} stops the connector of KaRMI, {@code c} counts its clients.
 */
public final class HostMain {
  private HostMain() {}

  /** Runs until its standard input ends. */
  public static void main(String[] args) throws Exception {
    int stockPort = Integer.parseInt(args[0]);
    Map<String, Object> environment = new HashMap<>();
    for (int i = 1; i < args.length; i++) {
      int split = args[i].indexOf('=');
      String name = args[i].substring(0, split);
      String value = args[i].substring(split + 1);
      environment.put(name, name.endsWith(".types") ? value.split(",") : value);
    }
    if ("names".equals(environment.remove("authenticator"))) {
      JMXAuthenticator byName =
          credentials -> {
            String[] given = credentials instanceof String[] ? (String[]) credentials : null;
            if (given == null || given.length != 2 || !given[1].equals("secret")) {
              throw new SecurityException("not let in");
            }
            Subject subject = new Subject();
            subject.getPrincipals().add(new JMXPrincipal(given[0]));
            return subject;
          };
      environment.put(JMXConnectorServer.AUTHENTICATOR, byName);
    }
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    beans.registerMBean(new Managed(), new ObjectName("test:type=Managed"));
    LocateRegistry.createRegistry(stockPort);
    JMXConnectorServer stock =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL(
                "service:jmx:rmi://127.0.0.1/jndi/rmi://127.0.0.1:" + stockPort + "/jmxrmi"),
            environment,
            beans);
    stock.start();
    JMXConnectorServer karmi =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:karmi://127.0.0.1:0/beans"), environment, beans);
    karmi.start();
    System.out.println("stock " + stock.getAddress());
    System.out.println("karmi " + karmi.getAddress());
    for (int command = System.in.read(); command >= 0; command = System.in.read()) {
      if (command == 's') {
        karmi.stop();
        System.out.println("stopped " + karmi.getAddress());
      } else if (command == 'c') {
        System.out.println("clients " + karmi.getConnectionIds().length);
      }
    }
    System.exit(0);
  }
}
