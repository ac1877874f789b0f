package io.karmi;

import io.karmi.bridge.Bridge;
import io.karmi.dgc.CollectorProvider;
import io.karmi.dgc.counting.CountingProvider;
import io.karmi.dgc.lease.LeaseProvider;
import io.karmi.interceptor.CallAuthorizer;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.JdkFormat;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.Node;
import io.karmi.stock.SecuredSockets;
import io.karmi.stock.StockSide;
import io.karmi.technology.TechnologyProvider;
import java.io.IOException;
import java.rmi.server.RMISocketFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a node. The defaults come from system properties:
 *
 * <ul>
 *   <li>{@code karmi.format}: the formats it marshals in; {@code uka} for that alone, {@code jdk}
 *       to prefer the JDK's. Without it the node prefers {@code uka}, and knows both
 *   <li>{@code karmi.technologies}: the names of the technologies it uses, separated by commas;
 *       without it, all that are there
 *   <li>{@code karmi.jrmp}: whether programs without KaRMI may call its objects; by default true
 *   <li>{@code karmi.dgc}: the strategy of distributed garbage collection, {@code lease} (the
 *       default) or {@code counting}, or another one that is on the class path; {@code
 *       karmi.dgc.tcp} and its like choose it for one technology
 *   <li>{@code karmi.bridge}: whether the node forwards calls between nodes that have no common
 *       technology; by default false
 *   <li>{@code java.rmi.dgc.leaseValue}: milliseconds for which this node's objects are kept for a
 *       holder that does not renew its lease, by default 600,000
 * </ul>
 *
 * <p>Not thread-safe; a node does not look back at it.
 */
public final class NodeConfig {
  private static final System.Logger LOG = System.getLogger(NodeConfig.class.getName());

  /** KaRMI's own technologies, as far as they are there; no service file need be read for them. */
  private static final String[] BUILT_IN = {
    "io.karmi.tcp.TcpProvider", "io.karmi.uds.UdsProvider", "io.karmi.shm.ShmProvider"
  };

  private List<CallFormat> formats = List.of(new UkaFormat(), new JdkFormat());

  /** Null for all that are there. */
  private @Nullable List<String> technologies;

  private NodeConfig() {}

  /** The configuration that system properties describe. */
  public static NodeConfig fromProperties() {
    NodeConfig config = new NodeConfig();
    String format = System.getProperty("karmi.format");
    if ("jdk".equals(format)) {
      config.formats = List.of(new JdkFormat(), new UkaFormat());
    } else if ("uka".equals(format)) {
      config.formats = List.of(new UkaFormat());
    }
    String names = System.getProperty("karmi.technologies");
    if (names != null) {
      config.technologies = Arrays.asList(names.split("\\s*,\\s*"));
    }
    return config;
  }

  /** Uses these formats only, the preferred one first. */
  public NodeConfig formats(CallFormat... chosen) {
    formats = List.of(chosen);
    return this;
  }

  /** Uses the technologies with these names only. */
  public NodeConfig technologies(String... names) {
    technologies = List.of(names);
    return this;
  }

  /** Makes the node. */
  public Node open() {
    Node node = new Node(formats);
    node.use(new StockSide(node));
    for (CollectorProvider strategy : strategies()) {
      node.add(strategy);
    }
    for (TechnologyProvider provider : providers()) {
      if (technologies == null || technologies.contains(provider.name())) {
        try {
          node.add(provider.open(node.upCall()));
          choose(node, provider.name());
        } catch (IOException e) {
          System.Logger.Level level =
              technologies == null ? System.Logger.Level.DEBUG : System.Logger.Level.INFO;
          LOG.log(level, "technology " + provider.name() + " is not used", e);
        }
      }
    }
    secureStock(node);
    if (Boolean.getBoolean("karmi.bridge")) {
      node.use(new Bridge(node));
    }
    for (CallInterceptor interceptor : interceptors()) {
      node.add(interceptor);
    }
    for (CallAuthorizer authorizer : authorizers()) {
      node.add(authorizer);
    }
    return node;
  }

  /** Stock RMI speaks TLS where the node does, whatever it exports or calls. */
  private static void secureStock(Node node) {
    RMISocketFactory secured = node.securedSockets();
    if (secured != null) {
      SecuredSockets.install(secured);
    }
  }

  private static void choose(Node node, String technology) {
    String common = System.getProperty("karmi.dgc");
    String strategy = System.getProperty("karmi.dgc." + technology, common);
    if (strategy != null) {
      try {
        node.choose(technology, strategy);
      } catch (IllegalArgumentException e) {
        LOG.log(System.Logger.Level.WARNING, "karmi.dgc for " + technology + " is ignored", e);
      }
    }
  }

  /** Leases first: they are what is used unless something else is chosen. */
  private static List<CollectorProvider> strategies() {
    List<CollectorProvider> strategies = new ArrayList<>();
    strategies.add(new LeaseProvider());
    strategies.add(new CountingProvider());
    load(CollectorProvider.class, strategies);
    return strategies;
  }

  private static <T> void load(Class<T> service, List<T> found) {
    ClassLoader own = service.getClassLoader();
    try {
      addAll(service, own != null ? own : ClassLoader.getSystemClassLoader(), found);
    } catch (ServiceConfigurationError e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a " + service.getSimpleName() + " on the class path cannot be loaded",
          e);
    }
  }

  /* A loop: the JDK would link a method reference here, for which each start would wait. */
  private static <T> void addAll(Class<T> service, ClassLoader loader, List<T> found) {
    for (T each : ServiceLoader.load(service, loader)) {
      found.add(each);
    }
  }

  /** Those of the program, also where KaRMI itself lies on the boot path. */
  private static List<CallInterceptor> interceptors() {
    List<CallInterceptor> found = new ArrayList<>();
    try {
      addAll(CallInterceptor.class, ClassLoader.getSystemClassLoader(), found);
    } catch (ServiceConfigurationError e) {
      LOG.log(System.Logger.Level.WARNING, "an interceptor on the class path cannot be loaded", e);
    }
    return found;
  }

  /** Those of the program; without one that it has named there is no node. */
  private static List<CallAuthorizer> authorizers() {
    List<CallAuthorizer> found = new ArrayList<>();
    addAll(CallAuthorizer.class, ClassLoader.getSystemClassLoader(), found);
    return found;
  }

  private static List<TechnologyProvider> providers() {
    List<TechnologyProvider> found = new ArrayList<>();
    for (String name : BUILT_IN) {
      addBuiltIn(found, name, TechnologyProvider.class.getClassLoader());
    }
    load(TechnologyProvider.class, found);
    return found;
  }

  private static void addBuiltIn(
      List<TechnologyProvider> found, String name, @Nullable ClassLoader own) {
    try {
      found.add((TechnologyProvider) Class.forName(name, true, own).getConstructor().newInstance());
    } catch (ReflectiveOperationException e) {
      LOG.log(System.Logger.Level.DEBUG, "no technology " + name + " on the class path");
    }
  }
}
