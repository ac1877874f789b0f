package io.karmi.stubgen.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The remote interfaces of one stub.
 *
 * <p>Immutable.
 */
public final class RemoteModel {
  private static final String REMOTE = "java.rmi.Remote";

  private final String home;
  private final List<String> interfaces;
  private final List<RemoteMethod> methods;

  private RemoteModel(String home, List<String> interfaces, List<RemoteMethod> methods) {
    this.home = home;
    this.interfaces = List.copyOf(interfaces);
    this.methods = List.copyOf(methods);
  }

  /**
   * The model of a remote interface, or of the class of a remote object.
   *
   * @throws IllegalArgumentException if it is not remote, or has a method that does not declare
   *     {@code RemoteException} or a superclass of it
   */
  public static RemoteModel of(ClassView type) {
    List<ClassView> interfaces = remoteInterfacesOf(type);
    if (interfaces.isEmpty()) {
      throw new IllegalArgumentException(
          type.name() + " is not remote: it neither extends nor implements " + REMOTE);
    }
    for (ClassView each : interfaces) {
      check(each);
    }
    return ofInterfaces(interfaces);
  }

  /**
   * The model of interfaces that another node has checked: the exporter, when a stub arrives at a
   * client.
   */
  public static RemoteModel ofInterfaces(List<ClassView> interfaces) {
    MethodCollector collector = new MethodCollector();
    List<String> names = new ArrayList<>();
    Map<String, RemoteMethod> bySignature = new TreeMap<>();
    for (ClassView each : interfaces) {
      names.add(each.name());
      collector.add(each);
      for (MethodView method : collector.methods()) {
        RemoteMethod known = bySignature.get(method.signature());
        String owner = known == null ? each.name() : known.owner();
        String declarer = known == null ? method.declarer().name() : known.declarer();
        bySignature.put(method.signature(), remote(owner, declarer, method));
      }
    }
    return new RemoteModel(homeOf(interfaces), names, new ArrayList<>(bySignature.values()));
  }

  private static String homeOf(List<ClassView> interfaces) {
    for (ClassView each : interfaces) {
      if (!each.isPublic()) {
        return each.name();
      }
    }
    return interfaces.get(0).name();
  }

  /**
   * The remote interfaces of a class in the order of stock RMI: those of the superclass first. A
   * remote interface has itself only. {@code Remote}, which all others extend, is left out unless
   * it is the only one.
   */
  public static List<ClassView> remoteInterfacesOf(ClassView type) {
    List<ClassView> found = new ArrayList<>();
    if (!type.isInterface()) {
      addRemoteInterfaces(type, found);
      if (found.size() > 1) {
        found.removeIf(each -> each.name().equals(REMOTE));
      }
    } else if (type.isSubtypeOf(REMOTE)) {
      found.add(type);
    }
    return found;
  }

  /**
   * Whether a type has a remote interface other than {@code Remote} itself, which has no methods.
   */
  public static boolean hasRemoteInterface(ClassView type) {
    return remoteInterfacesOf(type).stream().anyMatch(each -> !each.name().equals(REMOTE));
  }

  /** Whether a remote interface of a class lets no stub implement it; then it has none. */
  public static boolean isSealed(ClassView type) {
    for (ClassView each : remoteInterfacesOf(type)) {
      if (each.isSealed()) {
        return true;
      }
    }
    return false;
  }

  private static void addRemoteInterfaces(ClassView type, List<ClassView> found) {
    ClassView superclass = type.superclass();
    if (superclass != null) {
      addRemoteInterfaces(superclass, found);
    }
    for (ClassView each : type.interfaces()) {
      if (each.isSubtypeOf(REMOTE) && !found.contains(each)) {
        found.add(each);
      }
    }
  }

  private static void check(ClassView remoteInterface) {
    for (MethodView method : methodsToCheck(remoteInterface)) {
      if (!admitsRemoteException(method.exceptions())) {
        throw new IllegalArgumentException(
            "illegal remote method encountered: "
                + method.declarer().name()
                + "."
                + method.signature()
                + " does not declare java.rmi.RemoteException");
      }
    }
  }

  /** All methods that must declare RemoteException: static ones of the interface itself, too. */
  static List<MethodView> methodsToCheck(ClassView remoteInterface) {
    MethodCollector collector = new MethodCollector();
    collector.add(remoteInterface);
    List<MethodView> all = new ArrayList<>(collector.methods());
    for (MethodView declared : remoteInterface.methods()) {
      if (declared.isStatic()) {
        all.add(declared);
      }
    }
    return all;
  }

  static boolean admitsRemoteException(Collection<ClassView> exceptions) {
    for (ClassView each : exceptions) {
      switch (each.name()) {
        case "java.rmi.RemoteException",
            "java.io.IOException",
            "java.lang.Exception",
            "java.lang.Throwable" -> {
          return true;
        }
        default -> {}
      }
    }
    return false;
  }

  private static RemoteMethod remote(String owner, String declarer, MethodView method) {
    List<String> exceptions = new ArrayList<>();
    for (ClassView each : method.exceptions()) {
      exceptions.add(each.name());
    }
    return new RemoteMethod(
        owner, declarer, method.name(), method.descriptor(), List.copyOf(exceptions));
  }

  /** Binary names of the remote interfaces, in the order in which the class has them. */
  public List<String> interfaces() {
    return interfaces;
  }

  /**
   * Binary name of the interface beside which generated classes live: the first that is not public,
   * because only its package may name it, or else the first.
   */
  public String home() {
    return home;
  }

  /** All methods, sorted by signature: the index is the method number. */
  public List<RemoteMethod> methods() {
    return methods;
  }

  /** The method hashes by method number. */
  public long[] methodHashes() {
    long[] hashes = new long[methods.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = methods.get(i).hash();
    }
    return hashes;
  }

  /** Equal for a stub and a skeleton that number their methods alike. */
  public long fingerprint() {
    ByteBuffer bytes = ByteBuffer.allocate(methods.size() * Long.BYTES);
    bytes.asLongBuffer().put(methodHashes());
    return RemoteMethod.startOfDigest(bytes.array());
  }

  /** Tells apart the stubs of different lists of interfaces. */
  public long interfacesHash() {
    return RemoteMethod.startOfDigest(
        String.join(" ", interfaces).getBytes(StandardCharsets.UTF_8));
  }
}
