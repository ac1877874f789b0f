package io.karmi.retrofit.agent;

import io.karmi.retrofit.rules.ModuleAccess;
import io.karmi.retrofit.rules.RuleSet;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Opener of packages of the JDK to KaRMI, which is in the boot loader's unnamed module.
 *
 * <p>It opens them when the first class of KaRMI's streams or runtime is loaded, and not before: it
 * takes some 10 ms, as the JDK links lambdas.
 *
 * <p>The stream classes do not count, as the verifier loads them for each class that creates one.
 * They do where java.rmi's own streams extend them: their module has to read KaRMI's.
 */
final class ModuleOpener {
  private final List<ModuleAccess> access;

  /** Classes of KaRMI that the verifier may load for a class of a program. */
  private final Set<String> verified;

  private final Instrumentation instrumentation;
  private final String agent;
  private boolean done;

  ModuleOpener(RuleSet rules, Instrumentation instrumentation, Class<?> agent) {
    this.agent = agent.getName();
    access = rules.access();
    verified = rules.rewiredInJdk().isEmpty() ? Set.copyOf(rules.creations().values()) : Set.of();
    this.instrumentation = instrumentation;
  }

  /** Opens the packages if the boot loader is about to define such a class. */
  void sees(String internalName) {
    if (internalName.startsWith("io/karmi/")
        && !internalName.startsWith("io/karmi/retrofit/")
        && !internalName.startsWith("io/karmi/shaded/")
        && !internalName.equals(InputStreamWatch.TOLD)
        && !verified.contains(internalName)) {
      open();
    }
  }

  synchronized void open() {
    if (done) {
      return;
    }
    done = true;
    Set<Module> karmi = Set.of(ModuleOpener.class.getModule());
    Map<Module, Map<String, Set<Module>>> exports = new HashMap<>();
    Map<Module, Map<String, Set<Module>>> opens = new HashMap<>();
    for (ModuleAccess each : access) {
      Optional<Module> module = ModuleLayer.boot().findModule(each.module());
      if (module.isPresent() && module.get().getPackages().contains(each.packageName())) {
        Map<Module, Map<String, Set<Module>>> kind = each.deep() ? opens : exports;
        Map<String, Set<Module>> packages = kind.get(module.get());
        if (packages == null) {
          packages = new HashMap<>();
          kind.put(module.get(), packages);
        }
        packages.put(each.packageName(), karmi);
      }
    }
    Set<Module> modules = new HashSet<>(exports.keySet());
    modules.addAll(opens.keySet());
    for (Module module : modules) {
      instrumentation.redefineModule(
          module,
          karmi,
          exports.getOrDefault(module, Map.of()),
          opens.getOrDefault(module, Map.of()),
          Set.of(),
          Map.of());
    }
    String difference = GivenJar.difference(agent);
    if (difference != null) {
      System.err.println(difference);
    }
  }
}
