package io.karmi.retrofit.explain;

import io.karmi.retrofit.rules.Part;
import io.karmi.retrofit.rules.RetrofitOptions;

/** A use of the JDK's object streams or RMI by a class, and what becomes of it. */
enum Use {
  OUTPUT_STREAMS("opens or extends ObjectOutputStream", Part.SERIALIZATION, true, Page.STREAMS) {
    @Override
    String becomes(Way way) {
      return way == Way.BOOT
          ? "the boot path leaves the program's own streams alone"
          : "KaRMI's, which write the JDK's format, byte for byte";
    }

    @Override
    boolean isSwapped(Way way) {
      return way != Way.BOOT;
    }
  },
  INPUT_STREAMS("opens or extends ObjectInputStream", Part.SERIALIZATION, true, Page.STREAMS) {
    @Override
    String becomes(Way way) {
      return way == Way.BOOT
          ? "the boot path leaves the program's own streams alone"
          : "KaRMI's, which read the JDK's format and UKA's";
    }

    @Override
    boolean isSwapped(Way way) {
      return way != Way.BOOT;
    }
  },
  EXPORTS("exports objects", Part.RMI, true, "README.md") {
    @Override
    String becomes(Way way) {
      return "on KaRMI; peers without it are served as by stock RMI";
    }
  },
  REGISTRIES("creates or asks a registry", Part.RMI, true, "README.md") {
    @Override
    String becomes(Way way) {
      return "on KaRMI; stock clients and stock registries are understood";
    }
  },
  DEFAULT_SOCKETS("sets RMI's default socket factory", Part.RMI, true, "docs/networks.md") {
    @Override
    String becomes(Way way) {
      return "KaRMI's TCP takes its sockets from it";
    }
  },
  SOCKET_EXPORTS("exports with socket factories", Part.RMI, false, Page.STOCK_EXPORTS) {
    @Override
    String becomes(Way way) {
      return "stock RMI, which uses them; on KaRMI if both are null";
    }
  },
  FILTER_EXPORTS("exports with a filter of its own", Part.RMI, false, Page.STOCK_EXPORTS) {
    @Override
    String becomes(Way way) {
      return "stock RMI, which applies it; on KaRMI if it is null";
    }
  },
  SOCKET_REGISTRIES("has a registry with socket factories", Part.RMI, false, Page.STOCK_EXPORTS) {
    @Override
    String becomes(Way way) {
      return "stock RMI, which uses them; on KaRMI if all are null";
    }
  },
  SOCKET_FACTORIES("is or makes a socket factory for RMI", Part.RMI, false, Page.STOCK_EXPORTS) {
    @Override
    String becomes(Way way) {
      return "exports that use it are stock RMI's; karmi.tls replaces TLS factories";
    }
  },
  JMX("is a JMX connector's client or server", Part.RMI, false, Page.JMX) {
    @Override
    String becomes(Way way) {
      return way == Way.JARS
          ? "stock RMI, at a port of its own; service:jmx:karmi: is KaRMI's"
          : "stock RMI, at KaRMI's port if it is the same; service:jmx:karmi: is KaRMI's";
    }
  },
  INTERNALS("uses RMI's internals (UnicastRef, sun.rmi)", Part.RMI, false, Page.STOCK_EXPORTS) {
    @Override
    String becomes(Way way) {
      return "stock RMI: KaRMI has references and transports of its own";
    }
  },
  FILTERS("sets or is an ObjectInputFilter", Part.SERIALIZATION, true, Page.FILTERS) {
    @Override
    String becomes(Way way) {
      return "in force for KaRMI's streams, too";
    }
  },
  MARSHALLED_OBJECTS("uses MarshalledObject", Part.SERIALIZATION, false, Page.STREAMS) {
    @Override
    String becomes(Way way) {
      return "the JDK's own streams, in the JDK's format";
    }
  },
  CODEBASES("loads classes from codebases", Part.RMI, false, "docs/differences-rmi.md") {
    @Override
    String becomes(Way way) {
      return "only this JVM's own codebase is used; none that a peer names";
    }
  };

  final String title;
  final String page;
  private final Part part;
  private final boolean swapped;

  Use(String title, Part part, boolean swapped, String page) {
    this.title = title;
    this.part = part;
    this.swapped = swapped;
    this.page = page;
  }

  /** What becomes of it, if its part is swapped in. */
  abstract String becomes(Way way);

  /** Whether KaRMI serves it then. */
  boolean isSwapped(Way way) {
    return swapped;
  }

  /** Whether KaRMI serves it under these options. */
  final boolean isSwapped(Way way, RetrofitOptions options) {
    return options.has(part) && isSwapped(way);
  }

  /** What becomes of it under these options. */
  final String becomes(Way way, RetrofitOptions options) {
    return options.has(part)
        ? becomes(way)
        : part == Part.RMI
            ? "stock RMI: only the object streams are swapped in"
            : "the JDK's: only RMI is swapped in";
  }

  private static final class Page {
    static final String STREAMS = "docs/swapping-in.md#what-the-streams-write";
    static final String STOCK_EXPORTS = "docs/differences-rmi.md#exports-that-stay-on-stock-rmi";
    static final String JMX = "docs/recipes/jmx.md";
    static final String FILTERS = "docs/security.md#deserialization-filters";
  }
}
