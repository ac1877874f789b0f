package io.karmi.retrofit.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules that apply to one delivery under the user's options.
 *
 * <p>Immutable.
 */
public final class RuleSet {
  /**
   * What a rewritten module requires: KaRMI's jar, and the module of the JDK that KaRMI needs.
   * KaRMI's jar is an automatic module, which itself requires nothing.
   */
  public static final List<String> REQUIRED_MODULES = List.of("io.karmi", "jdk.unsupported");

  private static final String KARMI = "io/karmi/";

  /**
   * Packages of KaRMI that are rewired as programs are: benchmarks, and tests that compare with the
   * JDK.
   */
  private static final List<String> PROGRAMS =
      List.of("io/karmi/benchmarks/", "io/karmi/uka/semantics/", "io/karmi/difference/programs/");

  private final Map<String, String> creations;
  private final Map<String, String> twins;
  private final List<StaticCall> staticCalls;
  private final List<EntryPoint> entryPoints;
  private final Set<String> rewiredInJdk;
  private final boolean bootDelegation;
  private final Map<String, String> properties;

  private RuleSet(RetrofitOptions options, boolean inPlace) {
    boolean streams = options.has(Part.SERIALIZATION);
    boolean rmi = options.has(Part.RMI);
    creations = streams ? Rules.STREAMS : Map.of();
    twins = rmi && !inPlace ? Rules.TWINS : Map.of();
    staticCalls = rmi && !inPlace ? Rules.STATIC_CALLS : List.of();
    entryPoints = rmi && inPlace ? entryPoints(options) : List.of();
    rewiredInJdk = streams && !rmi && inPlace ? Rules.STOCK_RMI_STREAMS : Set.of();
    bootDelegation = inPlace;
    properties = rmi && !streams ? Rules.RMI_ON_JDK_STREAMS : Map.of();
  }

  private static List<EntryPoint> entryPoints(RetrofitOptions options) {
    if (!options.summary()) {
      return Rules.ENTRY_POINTS;
    }
    List<EntryPoint> all = new ArrayList<>(Rules.ENTRY_POINTS);
    all.addAll(Rules.STOCK_CALLS);
    return List.copyOf(all);
  }

  /** Rules for class files on disk, which name KaRMI's twins and find them on their class path. */
  public static RuleSet onDisk(RetrofitOptions options) {
    return new RuleSet(options, false);
  }

  /** Rules for a JVM whose own java.rmi is changed, with KaRMI on its boot class path. */
  public static RuleSet inPlace(RetrofitOptions options) {
    return new RuleSet(options, true);
  }

  /** From a class to the one that is created in its place. */
  public Map<String, String> creations() {
    return creations;
  }

  /** From a class to the twin that is named in its place. */
  public Map<String, String> twins() {
    return twins;
  }

  /** Static methods whose calls are redirected. */
  public List<StaticCall> staticCalls() {
    return staticCalls;
  }

  /** Methods of the JDK whose bodies ask KaRMI first. */
  public List<EntryPoint> entryPoints() {
    return entryPoints;
  }

  /** The entry points among the methods of one class. */
  public List<EntryPoint> entryPointsOf(String internalName) {
    List<EntryPoint> own = new ArrayList<>();
    for (EntryPoint point : entryPoints) {
      if (point.owner().equals(internalName)) {
        own.add(point);
      }
    }
    return own;
  }

  /** All classes of the JDK that are changed. */
  public Set<String> changedInJdk() {
    Set<String> names = new HashSet<>(rewiredInJdk);
    for (EntryPoint point : entryPoints) {
      names.add(point.owner());
    }
    return names;
  }

  /**
   * Classes of the JDK whose streams become UKA's. Empty if RMI is swapped in: exports that stay on
   * stock RMI must be understood by stock peers.
   */
  public Set<String> rewiredInJdk() {
    return rewiredInJdk;
  }

  /** Whether the class is a stream of stock RMI that stays as it is, since stock peers read it. */
  public boolean staysStock(String internalName) {
    return Rules.STOCK_RMI_STREAMS.contains(internalName) && !rewiredInJdk.contains(internalName);
  }

  /** Whether class loaders are changed to find KaRMI in the boot loader. */
  public boolean bootDelegation() {
    return bootDelegation;
  }

  /** System properties that the program gets unless it has set them itself. */
  public Map<String, String> properties() {
    return properties;
  }

  /** Packages of the JDK that KaRMI on the boot class path accesses. */
  public List<ModuleAccess> access() {
    return Rules.ACCESS;
  }

  /** Classes of the JDK that open these packages to KaRMI where there is no agent. */
  public Set<String> doors() {
    return Rules.DOORS;
  }

  /** Whether the class is KaRMI's own, or third-party code inside it, and must stay as it is. */
  public static boolean isKarmi(String internalName) {
    if (!internalName.startsWith(KARMI)) {
      return false;
    }
    for (String program : PROGRAMS) {
      if (internalName.startsWith(program)) {
        return false;
      }
    }
    return true;
  }
}
