package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.EntryPoint;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Installation of the transformers in the JVM, once. */
final class Installation {
  /** The name of KaRMI's jar as a module. */
  private static final String MODULE = "io.karmi";

  /** What the agent was installed with; null before. */
  private static @Nullable RetrofitOptions first;

  /** Null before the installation. */
  private static @Nullable LaterAgents later;

  private Installation() {}

  /**
   * Installs them, unless they are.
   *
   * @param agent the class whose name manifests have
   */
  static synchronized void install(
      Class<?> agent,
      @Nullable String arguments,
      Instrumentation instrumentation,
      boolean attached) {
    RetrofitOptions given = parsed(arguments);
    if (first != null) {
      if (later == null || !later.follow(instrumentation)) {
        tellIgnored(given, first);
      }
      return;
    }
    RetrofitOptions options = attached ? given.withoutWeaving() : given;
    RuleSet rules = RuleSet.inPlace(options);
    Transformer transformer = new Transformer(rules, options);
    for (Map.Entry<String, String> each : rules.properties().entrySet()) {
      System.getProperties().putIfAbsent(each.getKey(), each.getValue());
    }
    ModuleOpener opener = new ModuleOpener(rules, instrumentation, agent);
    Class<?>[] all = instrumentation.getAllLoadedClasses();
    List<Class<?>> loaded = loaded(rules, all, opener);
    InputStreamWatch watch = new InputStreamWatch(hasClassesOfOthers(all, agent));
    /*
     * A superclass can be replaced only while a class is defined. As this transformer cannot retransform, the JVM keeps its
     * result when another agent retransforms the class.
     */
    later = new LaterAgents(agent, instrumentation, watch);
    later.precede(new LoadTransformer(rules, options, transformer, opener, watch, later));
    retransform(loaded, instrumentation, new EntryPointTransformer(transformer, options));
    if (options.summary()) {
      beginSummary();
    }
    first = given;
    tellSecond();
  }

  /** A module that is resolved has priority over the agent's classes, for modules that read it. */
  private static void tellSecond() {
    ModuleLayer.boot()
        .configuration()
        .findModule(MODULE)
        .flatMap(module -> module.reference().location())
        .ifPresent(
            place ->
                System.err.println(
                    "karmi: the module path has a second KaRMI, "
                        + place
                        + ": modules that require "
                        + MODULE
                        + " use it, and it knows nothing of the agent's node. Leave it and the"
                        + " 'requires' out, and give --add-reads=<module>=ALL-UNNAMED"));
  }

  /**
   * A second agent changes nothing, as classes are rewired by the first one's options already. The
   * same options twice are none to speak of: one may come from {@code JAVA_TOOL_OPTIONS}.
   */
  private static void tellIgnored(RetrofitOptions given, RetrofitOptions first) {
    if (!given.toString().equals(first.toString())) {
      System.err.println(
          "karmi: the agent runs already, with "
              + quoted(first)
              + "; once more with "
              + quoted(given)
              + " it has no effect. Give it once, with all options");
    }
  }

  private static String quoted(RetrofitOptions options) {
    String text = options.toString();
    return text.isEmpty() ? "no options" : "'" + text + "'";
  }

  /** By name: the runtime lies above this tool, and is in the same jar. */
  private static void beginSummary() {
    try {
      Class.forName("io.karmi.summary.Summary", true, Installation.class.getClassLoader())
          .getMethod("begin")
          .invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("karmi: the jar has no summary", e);
    }
  }

  private static RetrofitOptions parsed(@Nullable String arguments) {
    try {
      return RetrofitOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("karmi: agent options: " + e.getMessage());
    }
  }

  /** Classes of java.rmi that the program has loaded already: none if the agent came first. */
  private static List<Class<?>> loaded(RuleSet rules, Class<?>[] all, ModuleOpener opener) {
    Set<String> owners = new HashSet<>();
    for (EntryPoint point : rules.entryPoints()) {
      owners.add(point.owner().replace('/', '.'));
    }
    List<Class<?>> loaded = new ArrayList<>();
    Module base = Object.class.getModule();
    for (Class<?> each : all) {
      /* Most are java.base's: neither KaRMI's nor entry points, and a thousand names to make. */
      if (each.getModule() != base && each.getClassLoader() == null) {
        String name = each.getName();
        opener.sees(name.replace('.', '/'));
        if (owners.contains(name)) {
          loaded.add(each);
        }
      }
    }
    return loaded;
  }

  /**
   * Whether an agent before this one, or the program, has loaded classes. Then it may have changed
   * {@code ObjectInputStream}, which is loaded later as a rule.
   */
  private static boolean hasClassesOfOthers(Class<?>[] all, Class<?> agent) {
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    boolean others = false;
    for (Class<?> each : all) {
      ClassLoader loader = each.getClassLoader();
      if (loader == null) {
        /* Few are streams, and a name has to be made for each class that is asked. */
        if (InputStream.class.isAssignableFrom(each)
            && each.getName().equals("java.io.ObjectInputStream")) {
          InputStreamWatch.wasLoadedBefore();
        }
      } else if (loader != platform && each != agent) {
        others |= !each.isArray() && !each.getName().startsWith("io.karmi.");
      }
    }
    return others;
  }

  private static void retransform(
      List<Class<?>> loaded, Instrumentation instrumentation, EntryPointTransformer transformer) {
    if (loaded.isEmpty()) {
      return;
    }
    /* An executable jar's own manifest may start the agent without the right to retransform. */
    if (!instrumentation.isRetransformClassesSupported()) {
      throw new IllegalStateException(
          "karmi: java.rmi is in use already; the agent's manifest needs Can-Retransform-Classes: true");
    }
    instrumentation.addTransformer(transformer, true);
    try {
      instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
    } catch (UnmodifiableClassException e) {
      throw new IllegalStateException("karmi: the JVM does not let its classes be changed", e);
    } finally {
      instrumentation.removeTransformer(transformer);
    }
  }
}
