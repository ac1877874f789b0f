package io.karmi.retrofit.explain;

import io.karmi.retrofit.rules.Part;
import io.karmi.retrofit.rules.RetrofitOptions;

/** A use of the JDK's object streams or RMI by a class, and what becomes of it. */
enum Use {
  OUTPUT_STREAMS(
      "opens or extends ObjectOutputStream",
      Part.SERIALIZATION,
      true,
      Page.STREAMS,
      "KaRMI's, which write the JDK's format, byte for byte"),
  INPUT_STREAMS(
      "opens or extends ObjectInputStream",
      Part.SERIALIZATION,
      true,
      Page.STREAMS,
      "KaRMI's, which read the JDK's format and UKA's"),
  EXPORTS(
      "exports objects",
      Part.RMI,
      true,
      "docs/swapping-in.md",
      "on KaRMI; peers without it are served as by stock RMI"),
  REGISTRIES(
      "creates or asks a registry",
      Part.RMI,
      true,
      "docs/swapping-in.md",
      "on KaRMI; stock clients and stock registries are understood"),
  DEFAULT_SOCKETS(
      "sets RMI's default socket factory",
      Part.RMI,
      true,
      "docs/networks.md",
      "KaRMI's TCP takes its sockets from it"),
  SOCKET_EXPORTS(
      "exports with socket factories",
      Part.RMI,
      false,
      Page.STOCK_EXPORTS,
      "stock RMI, which uses them; on KaRMI if both are null"),
  FILTER_EXPORTS(
      "exports with a filter of its own",
      Part.RMI,
      false,
      Page.STOCK_EXPORTS,
      "stock RMI, which applies it; on KaRMI if it is null"),
  SOCKET_REGISTRIES(
      "has a registry with socket factories",
      Part.RMI,
      false,
      Page.STOCK_EXPORTS,
      "stock RMI, which uses them; on KaRMI if all are null"),
  SOCKET_FACTORIES(
      "is or makes a socket factory for RMI",
      Part.RMI,
      false,
      Page.STOCK_EXPORTS,
      "exports that use it are stock RMI's; karmi.tls replaces TLS factories"),
  JMX(
      "is a JMX connector's client or server",
      Part.RMI,
      false,
      Page.JMX,
      "stock RMI, at KaRMI's port if it is the same; service:jmx:karmi: is KaRMI's"),
  INTERNALS(
      "uses RMI's internals (UnicastRef, sun.rmi)",
      Part.RMI,
      false,
      Page.STOCK_EXPORTS,
      "stock RMI: KaRMI has references and transports of its own"),
  FILTERS(
      "sets or is an ObjectInputFilter",
      Part.SERIALIZATION,
      true,
      Page.FILTERS,
      "in force for KaRMI's streams, too"),
  MARSHALLED_OBJECTS(
      "uses MarshalledObject",
      Part.SERIALIZATION,
      false,
      Page.STREAMS,
      "the JDK's own streams, in the JDK's format"),
  CODEBASES(
      "loads classes from codebases",
      Part.RMI,
      false,
      "docs/differences-rmi.md",
      "only this JVM's own codebase is used; none that a peer names");

  final String title;
  final String page;
  private final Part part;
  private final boolean swapped;
  private final String becomes;

  Use(String title, Part part, boolean swapped, String page, String becomes) {
    this.title = title;
    this.part = part;
    this.swapped = swapped;
    this.page = page;
    this.becomes = becomes;
  }

  /** Whether it is one of the program's own streams, which the boot path does not reach. */
  private boolean isLeftBy(Way way) {
    return way == Way.BOOT && (this == OUTPUT_STREAMS || this == INPUT_STREAMS);
  }

  /** Whether KaRMI serves it under these options. */
  boolean isSwapped(Way way, RetrofitOptions options) {
    return options.has(part) && swapped && !isLeftBy(way);
  }

  String becomes(Way way, RetrofitOptions options) {
    if (!options.has(part)) {
      return part == Part.RMI
          ? "stock RMI: only the object streams are swapped in"
          : "the JDK's: only RMI is swapped in";
    } else if (isLeftBy(way)) {
      return "the boot path leaves the program's own streams alone";
    } else if (this == JMX && way == Way.JARS) {
      return "stock RMI, at a port of its own; service:jmx:karmi: is KaRMI's";
    }
    return becomes;
  }

  private static final class Page {
    static final String STREAMS = "docs/swapping-in.md#what-the-streams-write";
    static final String STOCK_EXPORTS = "docs/differences-rmi.md#exports-that-stay-on-stock-rmi";
    static final String JMX = "docs/recipes/jmx.md";
    static final String FILTERS = "docs/security.md#deserialization-filters";
  }
}
