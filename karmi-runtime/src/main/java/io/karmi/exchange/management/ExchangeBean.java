package io.karmi.exchange.management;

import io.karmi.exchange.ExchangeMXBean;
import io.karmi.settings.Settings;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * Bean of a space. It is registered, as the node's, once JMX is used; in an image without {@code
 * java.management} nothing names this class. Thread-safe.
 */
public final class ExchangeBean implements ExchangeMXBean {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  private final String url;
  private final String files;
  private final Supplier<Map<String, Long>> counters;
  private @Nullable MBeanServer server;
  private @Nullable ObjectName name;

  /**
   * Of a space.
   *
   * @param files directory with the files of this host
   * @param counters asked each time
   */
  public ExchangeBean(String url, String files, Supplier<Map<String, Long>> counters) {
    this.url = url;
    this.files = files;
    this.counters = counters;
  }

  /** Registers it if JMX is used, or asked for; returns whether that is done. */
  public synchronized boolean register(long space) {
    List<MBeanServer> servers =
        Settings.JMX.isOn()
            ? List.of(ManagementFactory.getPlatformMBeanServer())
            : MBeanServerFactory.findMBeanServer(null);
    if (servers.isEmpty()) {
      return false;
    }
    try {
      name = new ObjectName("io.karmi:type=ExchangeSpace,space=" + Long.toHexString(space));
      server = servers.get(0);
      server.registerMBean(this, name);
    } catch (JMException | RuntimeException e) {
      LOG.log(Level.INFO, "no bean " + name, e);
    }
    return true;
  }

  /** Ends it; without effect the second time. */
  public synchronized void unregister() {
    try {
      if (server != null && name != null && server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
    } catch (JMException | RuntimeException e) {
      LOG.log(Level.DEBUG, "the bean " + name + " stays", e);
    }
  }

  @Override
  public String getUrl() {
    return url;
  }

  @Override
  public String getFiles() {
    return files;
  }

  @Override
  public Map<String, Long> getCounters() {
    return counters.get();
  }
}
