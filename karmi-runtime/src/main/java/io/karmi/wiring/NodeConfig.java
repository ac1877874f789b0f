package io.karmi.wiring;

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
import io.karmi.settings.Settings;
import io.karmi.stock.RefusedSockets;
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
 * Configuration of a node. The defaults come from the {@linkplain Settings settings}.
 *
 * <p>Not thread-safe; a node does not look back at it.
 */
final class NodeConfig {
  private static final System.Logger LOG = System.getLogger(NodeConfig.class.getName());

  /** KaRMI's own technologies, as far as they are there; no service file need be read for them. */
  private static final String[] BUILT_IN = {
    "io.karmi.tcp.TcpProvider", "io.karmi.uds.UdsProvider", "io.karmi.shm.ShmProvider"
  };

  private List<CallFormat> formats = List.of(new UkaFormat());

  /** Null for all that are there. */
  private @Nullable List<String> technologies;

  private NodeConfig() {}

  static NodeConfig fromProperties() {
    NodeConfig config = new NodeConfig();
    if (Settings.FORMAT.is("jdk")) {
      config.formats = List.of(new JdkFormat(), new UkaFormat());
    }
    String names = Settings.TECHNOLOGIES.get();
    if (names != null) {
      config.technologies = Arrays.asList(names.trim().split("\\s*,\\s*"));
    }
    return config;
  }

  /**
   * A node that does not start: each export, lookup and call fails, on stock RMI too.
   *
   * @param reason names the setting that is refused
   */
  static Node refused(String reason) {
    Node node = new Node(List.of(new UkaFormat()));
    node.use(new StockSide(node));
    for (CollectorProvider strategy : strategies()) {
      node.add(strategy);
    }
    return refuse(node, reason);
  }

  private static Node refuse(Node node, String reason) {
    String line = "KaRMI does not start: " + reason;
    node.refuse(line);
    RefusedSockets.install(line);
    return node;
  }

  Node open() {
    Node node = new Node(formats);
    node.use(new StockSide(node));
    for (CollectorProvider strategy : strategies()) {
      node.add(strategy);
    }
    String refusal = addTechnologies(node);
    if (refusal != null) {
      return refuse(node, refusal);
    }
    secureStock(node);
    if (Settings.BRIDGE.isOn()) {
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

  /** Says why the node cannot start without the technologies that it was to have; or null. */
  private @Nullable String addTechnologies(Node node) {
    List<TechnologyProvider> there = providers();
    String unknown = unknownTechnology(there);
    if (unknown != null) {
      return unknown;
    }
    StringBuilder problems = new StringBuilder();
    boolean any = false;
    for (TechnologyProvider provider : there) {
      if (technologies == null || technologies.contains(provider.name())) {
        try {
          node.add(provider.open(node.upCall()));
          choose(node, provider.name());
          any = true;
        } catch (IOException e) {
          System.Logger.Level level =
              technologies == null ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING;
          String problem = provider.name() + " is not used: " + e.getMessage();
          LOG.log(level, "network " + problem);
          node.isMissing(provider.name(), String.valueOf(e.getMessage()));
          problems.append(problems.length() == 0 ? "" : ", ").append(problem);
        }
      }
    }
    return any || technologies == null
        ? null
        : Settings.TECHNOLOGIES + " leaves no network: " + problems;
  }

  private @Nullable String unknownTechnology(List<TechnologyProvider> there) {
    if (technologies == null) {
      return null;
    }
    List<String> known = new ArrayList<>();
    for (TechnologyProvider provider : there) {
      known.add(provider.name());
    }
    for (String name : technologies) {
      if (!known.contains(name)) {
        return Settings.TECHNOLOGIES
            + "="
            + String.join(",", technologies)
            + " names a network that is not there: "
            + (name.isEmpty() ? "an empty name" : name)
            + "; there are "
            + String.join(", ", known)
            + ", and more with further jars on the class path (karmi-ucx.jar: ucx)";
      }
    }
    return null;
  }

  /** Stock RMI speaks TLS where the node does, whatever it exports or calls. */
  private static void secureStock(Node node) {
    RMISocketFactory secured = node.securedSockets();
    if (secured != null) {
      SecuredSockets.install(secured);
    }
  }

  private static void choose(Node node, String technology) {
    String strategy = Settings.COLLECTOR.get();
    String ofOne = Settings.COLLECTOR_OF_ONE.get();
    if (ofOne != null && ofOne.startsWith(technology + "=")) {
      strategy = ofOne.substring(technology.length() + 1);
    }
    if (strategy != null) {
      try {
        node.choose(technology, strategy);
      } catch (IllegalArgumentException e) {
        LOG.log(
            System.Logger.Level.WARNING,
            "karmi.dgc is ignored for " + technology + ": " + e.getMessage());
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
