package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.ModuleAccess;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Registers the transformers with the JVM, once, and opens what KaRMI reaches into. */
final class Installation {
  private static boolean done;

  private Installation() {}

  static synchronized void install(
      String arguments, Instrumentation instrumentation, boolean attached) {
    if (done) {
      return;
    }
    RetrofitOptions given = RetrofitOptions.parse(arguments);
    RetrofitOptions options = attached ? given.withoutWeaving() : given;
    RuleSet rules = RuleSet.inPlace(options);
    Transformer transformer = new Transformer(rules, options);
    for (Map.Entry<String, String> each : rules.properties().entrySet()) {
      System.getProperties().putIfAbsent(each.getKey(), each.getValue());
    }
    open(rules.access(), instrumentation);
    /*
     * A superclass can be exchanged only while a class is defined. As a transformer that is not asked again when another
     * agent retransforms the class, the JVM keeps what the first one answered.
     */
    instrumentation.addTransformer(new LoadTransformer(rules, options, transformer), false);
    if (!rules.entryPoints().isEmpty()) {
      /* An executable jar's own manifest may start the agent without the right to retransform. */
      boolean mayRetransform = instrumentation.isRetransformClassesSupported();
      instrumentation.addTransformer(
          new EntryPointTransformer(transformer, options), mayRetransform);
      retransform(loaded(rules, instrumentation), instrumentation, mayRetransform);
    }
    done = true;
  }

  /** Gives the boot loader's unnamed module, where KaRMI lives, what every class may not have. */
  private static void open(List<ModuleAccess> access, Instrumentation instrumentation) {
    Set<Module> karmi = Set.of(Installation.class.getModule());
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

  private static List<Class<?>> loaded(RuleSet rules, Instrumentation instrumentation) {
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> each : instrumentation.getAllLoadedClasses()) {
      if (each.getClassLoader() == null
          && !rules.entryPointsOf(each.getName().replace('.', '/')).isEmpty()) {
        loaded.add(each);
      }
    }
    return loaded;
  }

  private static void retransform(
      List<Class<?>> loaded, Instrumentation instrumentation, boolean mayRetransform) {
    if (loaded.isEmpty()) {
      return;
    }
    if (!mayRetransform) {
      throw new IllegalStateException(
          "karmi: java.rmi is in use already; the agent's manifest needs Can-Retransform-Classes: true");
    }
    try {
      instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
    } catch (UnmodifiableClassException e) {
      throw new IllegalStateException("karmi: the JVM does not let java.rmi be changed", e);
    }
  }
}
