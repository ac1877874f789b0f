package io.karmi.retrofit.rules;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every class and method that retrofitting knows by name (KaRMI paper, sections 3.7 and 4.5).
 *
 * <p>Names are internal ones, with slashes, unless said otherwise.
 */
final class Rules {
  /**
   * Created in place of the key: by {@code new}, as a superclass, by a constructor reference, by
   * reflection. The value extends the key, so casts, {@code instanceof} and signatures stay as they
   * are.
   */
  static final Map<String, String> STREAMS =
      Map.of(
          "java/io/ObjectOutputStream", "io/karmi/uka/UkaObjectOutputStream",
          "java/io/ObjectInputStream", "io/karmi/uka/UkaObjectInputStream");

  /**
   * The classes of the JDK that put stock RMI on UKA, the paper's footnote 2, and their nested
   * ones.
   */
  static final Set<String> STOCK_RMI_STREAMS =
      Set.of(
          "java/rmi/MarshalledObject",
          "java/rmi/MarshalledObject$MarshalledObjectOutputStream",
          "java/rmi/MarshalledObject$MarshalledObjectInputStream",
          "sun/rmi/server/MarshalInputStream",
          "sun/rmi/server/MarshalOutputStream");

  /**
   * Types that a rewritten jar names instead of the key, wherever it names them. Not used where the
   * JDK's own entry points are changed: there no type changes its identity.
   */
  static final Map<String, String> TWINS =
      Map.of(
          "java/rmi/server/UnicastRemoteObject", "io/karmi/rmi/UnicastRemoteObject",
          "java/rmi/registry/LocateRegistry", "io/karmi/rmi/LocateRegistry",
          "java/rmi/Naming", "io/karmi/rmi/Naming");

  /** Static methods of classes that keep their identity even in a rewritten jar. */
  static final List<StaticCall> STATIC_CALLS =
      List.of(
          new StaticCall(
              "java/rmi/server/RemoteObject",
              "toStub",
              "(Ljava/rmi/Remote;)Ljava/rmi/Remote;",
              "io/karmi/rmi/RemoteObjects"),
          new StaticCall(
              "java/rmi/server/RemoteServer",
              "getClientHost",
              "()Ljava/lang/String;",
              "io/karmi/rmi/RemoteServers"));

  private static final String FACTORIES =
      "Ljava/rmi/server/RMIClientSocketFactory;Ljava/rmi/server/RMIServerSocketFactory;";
  private static final String UNICAST = "java/rmi/server/UnicastRemoteObject";
  private static final String LOCATE = "java/rmi/registry/LocateRegistry";

  /**
   * The methods of java.rmi through which everything else passes: constructors of
   * UnicastRemoteObject, clone and readObject call exportObject, the short forms of getRegistry the
   * long one, and Naming calls LocateRegistry. A stream of stock RMI asks what to write in place of
   * an object that KaRMI exports; and what stock RMI exports at a port of KaRMI's (a connector of
   * JMX beside the program's registry, say) gets its connections from KaRMI.
   */
  static final List<EntryPoint> ENTRY_POINTS =
      List.of(
          entryPoint(
              UNICAST, "exportObject", "(Ljava/rmi/Remote;)Ljava/rmi/server/RemoteStub;", "export"),
          entryPoint(UNICAST, "exportObject", "(Ljava/rmi/Remote;I)Ljava/rmi/Remote;", "export"),
          entryPoint(
              UNICAST,
              "exportObject",
              "(Ljava/rmi/Remote;I" + FACTORIES + ")Ljava/rmi/Remote;",
              "export"),
          entryPoint(
              UNICAST,
              "exportObject",
              "(Ljava/rmi/Remote;ILjava/io/ObjectInputFilter;)Ljava/rmi/Remote;",
              "export"),
          entryPoint(
              UNICAST,
              "exportObject",
              "(Ljava/rmi/Remote;I" + FACTORIES + "Ljava/io/ObjectInputFilter;)Ljava/rmi/Remote;",
              "export"),
          entryPoint(UNICAST, "unexportObject", "(Ljava/rmi/Remote;Z)Z", "unexport"),
          entryPoint(
              "java/rmi/server/RemoteObject",
              "toStub",
              "(Ljava/rmi/Remote;)Ljava/rmi/Remote;",
              "toStub"),
          entryPoint(
              "java/rmi/server/RemoteServer",
              "getClientHost",
              "()Ljava/lang/String;",
              "getClientHost"),
          entryPoint(LOCATE, "createRegistry", "(I)Ljava/rmi/registry/Registry;", "createRegistry"),
          entryPoint(
              LOCATE,
              "createRegistry",
              "(I" + FACTORIES + ")Ljava/rmi/registry/Registry;",
              "createRegistry"),
          entryPoint(
              LOCATE,
              "getRegistry",
              "(Ljava/lang/String;ILjava/rmi/server/RMIClientSocketFactory;)"
                  + "Ljava/rmi/registry/Registry;",
              "getRegistry"),
          entryPoint(
              "sun/rmi/server/MarshalOutputStream",
              "replaceObject",
              "(Ljava/lang/Object;)Ljava/lang/Object;",
              "replaceObject"),
          entryPoint(
              "sun/rmi/transport/tcp/TCPEndpoint",
              "getLocalEndpoint",
              "(I" + FACTORIES + ")Lsun/rmi/transport/tcp/TCPEndpoint;",
              "serverSockets",
              2));

  /**
   * What the fastest ways to private and final fields need, and the export of an object on both
   * runtimes of RMI, besides what every class may do.
   */
  static final List<ModuleAccess> ACCESS =
      List.of(
          new ModuleAccess("java.base", "jdk.internal.misc", false),
          new ModuleAccess("java.base", "jdk.internal.reflect", false),
          new ModuleAccess("java.base", "java.io", true),
          new ModuleAccess("java.base", "java.lang", true),
          new ModuleAccess("java.base", "java.util", true),
          new ModuleAccess("java.rmi", "java.rmi.server", true),
          new ModuleAccess("java.rmi", "sun.rmi.server", false));

  /**
   * Classes of the JDK that give KaRMI on the boot class path what {@link #ACCESS} lists of their
   * modules, where no agent does: each is initialized before any code of KaRMI's needs it. The
   * streams are the superclasses of KaRMI's.
   */
  static final Set<String> DOORS =
      Set.of(
          "java/io/ObjectOutputStream",
          "java/io/ObjectInputStream",
          "java/rmi/server/RemoteObject");

  /** Swapping in RMI alone means that calls marshal in the JDK's format. */
  static final Map<String, String> RMI_ON_JDK_STREAMS = Map.of("karmi.format", "jdk");

  private Rules() {}

  private static EntryPoint entryPoint(
      String owner, String name, String descriptor, String action) {
    return entryPoint(owner, name, descriptor, action, EntryPoint.RETURNS);
  }

  private static EntryPoint entryPoint(
      String owner, String name, String descriptor, String action, int replaced) {
    String guard = "takes" + Character.toUpperCase(action.charAt(0)) + action.substring(1);
    return new EntryPoint(owner, name, descriptor, "io/karmi/rmi/Entry", guard, action, replaced);
  }
}
