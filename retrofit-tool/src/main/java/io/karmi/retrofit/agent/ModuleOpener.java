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
 * Gives the boot loader's unnamed module, where KaRMI lives, what every class may not have: when
 * the first class of KaRMI's that serializes or calls is loaded. A program that does neither does
 * not pay for it; the JDK's part of it links lambdas, some ten milliseconds.
 *
 * <p>The streams alone do not count: the verifier loads them for any class that makes one, and who
 * makes one loads more. But they do where java.rmi's own streams extend them, whose module has to
 * read ours for that.
 */
final class ModuleOpener {
  private final List<ModuleAccess> access;

  /** What verifying a class of a program may load. */
  private final Set<String> verified;

  private final Instrumentation instrumentation;
  private boolean done;

  ModuleOpener(RuleSet rules, Instrumentation instrumentation) {
    access = rules.access();
    verified = rules.rewiredInJdk().isEmpty() ? Set.copyOf(rules.creations().values()) : Set.of();
    this.instrumentation = instrumentation;
  }

  /** Takes notice of a class that the boot loader is about to define. */
  void sees(String internalName) {
    if (internalName.startsWith("io/karmi/")
        && !internalName.startsWith("io/karmi/retrofit/")
        && !internalName.startsWith("io/karmi/shaded/")
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
  }
}
