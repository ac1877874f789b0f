package io.karmi.retrofit.explain;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A product that KaRMI was tried with, by a class that it has in all releases. */
enum Framework {
  TOMCAT_CLUSTER(
      "Tomcat's replicated sessions",
      "org/apache/catalina/ha/session/DeltaManager",
      "members with and without KaRMI read each other; move them one by one",
      "docs/recipes/tomcat.md"),
  TOMCAT(
      "Tomcat",
      "org/apache/catalina/session/StandardManager",
      "sessions that it stores stay readable with and without KaRMI",
      Page.PROGRAM),
  SPRING_SESSION(
      "Spring Session",
      "org/springframework/session/Session",
      "stored sessions stay in the JDK's format: there and back without a loss",
      "docs/recipes/spring-session.md"),
  SPRING_BOOT(
      "Spring Boot's executable jar",
      "org/springframework/boot/loader/JarLauncher",
      "the agent reaches the jars inside it; rewritten, it needs karmi.jar beside it",
      Page.REWRITTEN),
  SPRING_BOOT_3(
      "Spring Boot's executable jar",
      "org/springframework/boot/loader/launch/JarLauncher",
      SPRING_BOOT.says,
      Page.REWRITTEN),
  SPRING_RMI(
      "Spring's RMI",
      "org/springframework/remoting/rmi/RmiServiceExporter",
      "on KaRMI, unless the exporter is given socket factories",
      "docs/recipes/spring-rmi.md"),
  HAZELCAST(
      "Hazelcast",
      "com/hazelcast/core/Hazelcast",
      "serializable values stay in the JDK's format; move members one by one",
      "docs/recipes/data-grids.md"),
  INFINISPAN(
      "Infinispan",
      "org/infinispan/manager/DefaultCacheManager",
      "serializable values stay in the JDK's format; move members one by one",
      "docs/recipes/data-grids.md"),
  ACTIVEMQ(
      "ActiveMQ",
      "org/apache/activemq/broker/BrokerService",
      "messages of objects stay in the JDK's format; move members one by one",
      Page.CLUSTERS),
  EHCACHE_RMI(
      "Ehcache's replication by RMI",
      "net/sf/ehcache/distribution/RMICachePeer",
      "its peers export with socket factories, and so on stock RMI",
      Page.STOCK_EXPORTS),
  JMETER(
      "JMeter, distributed",
      "org/apache/jmeter/engine/RemoteJMeterEngineImpl",
      "on KaRMI with server.rmi.ssl.disable=true; its TLS factories are stock RMI's",
      "docs/recipes/jmeter.md"),
  SPARK(
      "Spark",
      "org/apache/spark/SparkContext",
      "UKA's serializer is set in its configuration; no agent is needed for it",
      "docs/engines.md"),
  FLINK(
      "Flink",
      "org/apache/flink/api/common/ExecutionConfig",
      "UKA's serializer is set in its configuration; no agent is needed for it",
      "docs/engines.md"),
  KOTLIN_DAEMON(
      "Kotlin's compiler daemon",
      "org/jetbrains/kotlin/daemon/common/CompileService",
      "it exports with socket factories for the local host: stock RMI",
      "docs/recipes/kotlin-daemon.md"),
  OPEN_TELEMETRY(
      "OpenTelemetry",
      "io/opentelemetry/api/trace/Span",
      "calls between two KaRMI nodes have spans by karmi-opentelemetry.jar",
      "docs/recipes/opentelemetry.md"),
  GROOVY(
      "Groovy",
      "groovy/lang/GroovyObject",
      "the agent reaches scripts; beside rewritten jars they keep the JDK's streams",
      Page.STAYS),
  JENKINS_REMOTING(
      "Jenkins remoting",
      "hudson/remoting/Channel",
      "the other JVM needs no KaRMI as long as uka.format is not set",
      Page.STREAMS);

  final String title;
  final String says;
  final String page;
  private final String marker;

  private static final Map<String, Framework> BY_MARKER = new HashMap<>();

  static {
    for (Framework each : values()) {
      BY_MARKER.put(each.marker, each);
    }
  }

  Framework(String title, String marker, String says, String page) {
    this.title = title;
    this.marker = marker;
    this.says = says;
    this.page = page;
  }

  /** The product that has the class of this internal name, or null. */
  static @Nullable Framework of(String className) {
    return BY_MARKER.get(className);
  }

  private static final class Page {
    static final String CLUSTERS = "docs/migrating.md#a-cluster-member-by-member";
    static final String PROGRAM = "docs/migrating.md#a-single-program";
    static final String REWRITTEN = "docs/swapping-in.md#rewritten-jars";
    static final String STAYS = "docs/swapping-in.md#what-stays-as-it-was";
    static final String STREAMS = "docs/swapping-in.md#what-the-streams-write";
    static final String STOCK_EXPORTS = "docs/differences-rmi.md#exports-that-stay-on-stock-rmi";
  }
}
