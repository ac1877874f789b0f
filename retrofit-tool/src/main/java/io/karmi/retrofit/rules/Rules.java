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
   * From a stream class to the one that is created in its place: by {@code new}, as a superclass,
   * by a constructor reference, by reflection. The value extends the key, so casts, {@code
   * instanceof} and signatures stay as they are. It writes the JDK's format by default, unlike the
   * streams that a program makes by UKA's name.
   */
  static final Map<String, String> STREAMS =
      Map.of(
          "java/io/ObjectOutputStream", "io/karmi/uka/RewiredObjectOutputStream",
          "java/io/ObjectInputStream", "io/karmi/uka/RewiredObjectInputStream");

  /**
   * Classes of the JDK by which stock RMI runs on UKA (KaRMI paper, footnote 2), with nested ones.
   */
  static final Set<String> STOCK_RMI_STREAMS =
      Set.of(
          "java/rmi/MarshalledObject",
          "java/rmi/MarshalledObject$MarshalledObjectOutputStream",
          "java/rmi/MarshalledObject$MarshalledObjectInputStream",
          "sun/rmi/server/MarshalInputStream",
          "sun/rmi/server/MarshalOutputStream");

  /**
   * From a type to the twin that a rewritten jar names in its place. Not used where the JDK's own
   * entry points are changed: there types keep their identity.
   */
  static final Map<String, String> TWINS =
      Map.of(
          "java/rmi/server/UnicastRemoteObject", "io/karmi/rmi/UnicastRemoteObject",
          "java/rmi/registry/LocateRegistry", "io/karmi/rmi/LocateRegistry",
          "java/rmi/Naming", "io/karmi/rmi/Naming");

  /**
   * Static methods whose calls are redirected, of classes that keep their identity in a rewritten
   * jar, too.
   */
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
  private static final String REGISTRY = "sun/rmi/registry/RegistryImpl";
  private static final String LOCATE = "java/rmi/registry/LocateRegistry";

  /**
   * The methods of java.rmi that all others call: constructors of UnicastRemoteObject, clone and
   * readObject call exportObject, the short forms of getRegistry the long one, and Naming calls
   * LocateRegistry. By {@code replaceObject} a stream of stock RMI asks what to write in place of
   * an object that KaRMI exports. By {@code readObject} a stub of the JDK's becomes one of KaRMI's
   * again, and by {@code invokeObjectMethod} it equals that. By {@code getLocalEndpoint} an object
   * that stock RMI exports at a port of KaRMI's, such as a JMX connector, gets its connections from
   * KaRMI. By {@code readHostPortFormat} and {@code read} the endpoints in references of peers are
   * counted, by {@code resolveClass} and {@code resolveProxyClass} the names of classes in calls of
   * stock RMI, by {@code dirty} and {@code clean} its leases, and by {@code dispatch} and the
   * methods of its registry what is bound.
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
              "java/rmi/server/RemoteObject",
              "readObject",
              "(Ljava/io/ObjectInputStream;)V",
              "readObject"),
          entryPoint(
              "java/rmi/server/RemoteObjectInvocationHandler",
              "invokeObjectMethod",
              "(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;",
              "invokeObjectMethod"),
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
              2),
          entryPoint(
              "sun/rmi/transport/tcp/TCPEndpoint",
              "readHostPortFormat",
              "(Ljava/io/DataInput;)Lsun/rmi/transport/tcp/TCPEndpoint;",
              "readEndpoint",
              0),
          entryPoint(
              "sun/rmi/transport/tcp/TCPEndpoint",
              "read",
              "(Ljava/io/ObjectInput;)Lsun/rmi/transport/tcp/TCPEndpoint;",
              "readEndpoint",
              0),
          entryPoint(
              "sun/rmi/server/MarshalInputStream",
              "resolveClass",
              "(Ljava/io/ObjectStreamClass;)Ljava/lang/Class;",
              "resolveClass",
              1),
          entryPoint(
              "sun/rmi/server/MarshalInputStream",
              "resolveProxyClass",
              "([Ljava/lang/String;)Ljava/lang/Class;",
              "resolveProxyClass"),
          entryPoint(
              "sun/rmi/transport/DGCImpl",
              "dirty",
              "([Ljava/rmi/server/ObjID;JLjava/rmi/dgc/Lease;)Ljava/rmi/dgc/Lease;",
              "dirty",
              3),
          entryPoint(
              "sun/rmi/transport/DGCImpl",
              "clean",
              "([Ljava/rmi/server/ObjID;JLjava/rmi/dgc/VMID;Z)V",
              "clean",
              4),
          entryPoint(
              "sun/rmi/transport/Target", "referenced", "(JLjava/rmi/dgc/VMID;)V", "referenced", 2),
          entryPoint(
              "sun/rmi/transport/Target",
              "lambda$refSetRemove$",
              "(Ljava/rmi/server/Unreferenced;)V",
              "unreferenced"),
          entryPoint(
              "sun/rmi/registry/RegistryImpl_Skel",
              "dispatch",
              "(Ljava/rmi/Remote;Ljava/rmi/server/RemoteCall;IJ)V",
              "dispatch"),
          entryPoint(REGISTRY, "bind", "(Ljava/lang/String;Ljava/rmi/Remote;)V", "bind"),
          entryPoint(REGISTRY, "rebind", "(Ljava/lang/String;Ljava/rmi/Remote;)V", "rebind"),
          entryPoint(REGISTRY, "unbind", "(Ljava/lang/String;)V", "unbind"));

  /** Methods of stock RMI that tell the summary of each call, and go on. */
  static final List<EntryPoint> STOCK_CALLS =
      List.of(
          new EntryPoint(
              "sun/rmi/server/UnicastRef",
              "invoke",
              "(Ljava/rmi/Remote;Ljava/lang/reflect/Method;[Ljava/lang/Object;J)Ljava/lang/Object;",
              "io/karmi/summary/StockTally",
              "takesInvoke",
              "invoke",
              EntryPoint.RETURNS),
          new EntryPoint(
              "sun/rmi/server/UnicastServerRef",
              "dispatch",
              "(Ljava/rmi/Remote;Ljava/rmi/server/RemoteCall;)V",
              "io/karmi/summary/StockTally",
              "takesDispatch",
              "dispatch",
              EntryPoint.RETURNS));

  /**
   * Packages that KaRMI accesses though the JDK does not export or open them: for the fastest ways
   * to private and final fields, and to export an object on both runtimes of RMI.
   */
  static final List<ModuleAccess> ACCESS =
      List.of(
          new ModuleAccess("java.base", "jdk.internal.misc", false),
          new ModuleAccess("java.base", "jdk.internal.reflect", false),
          new ModuleAccess("java.base", "java.io", true),
          new ModuleAccess("java.base", "java.lang", true),
          new ModuleAccess("java.base", "java.util", true),
          new ModuleAccess("java.rmi", "java.rmi.server", true),
          new ModuleAccess("java.rmi", "sun.rmi.registry", false),
          new ModuleAccess("java.rmi", "sun.rmi.server", false),
          new ModuleAccess("java.rmi", "sun.rmi.transport", false));

  /**
   * Classes of the JDK that open the packages of {@link #ACCESS} in their own modules to KaRMI,
   * where there is no agent. Each is initialized before code of KaRMI's needs the access: the
   * streams, for example, are superclasses of KaRMI's.
   */
  static final Set<String> DOORS =
      Set.of(
          "java/io/ObjectOutputStream",
          "java/io/ObjectInputStream",
          "java/rmi/server/RemoteObject");

  /** System properties if RMI alone is swapped in: calls marshal in the JDK's format. */
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
