package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;

/**
 * Rewires classes of the application, and the JDK's marshal streams where the rules say so, as they
 * are loaded.
 */
final class LoadTransformer implements ClassFileTransformer {
  private final RuleSet rules;
  private final RetrofitOptions options;
  private final Transformer transformer;
  private final ClassLoader platform = ClassLoader.getPlatformClassLoader();

  LoadTransformer(RuleSet rules, RetrofitOptions options, Transformer transformer) {
    this.rules = rules;
    this.options = options;
    this.transformer = transformer;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (name == null || !isOurs(loader, name)) {
      return null;
    }
    try {
      Outcome outcome = transformer.transform(classFile, new LoaderClassFiles(loader));
      Trace.of(name, outcome, options);
      return outcome.bytes();
    } catch (Throwable e) { // the JVM would swallow it
      Trace.failed(name, e);
      return null;
    }
  }

  /**
   * The JDK's reflection defines accessors in loaders of its own; rewiring them would create what
   * nobody asked for.
   */
  private boolean isOurs(ClassLoader loader, String name) {
    return loader == null || loader == platform
        ? rules.rewiredInJdk().contains(name)
        : !name.startsWith("jdk/internal/") && !name.startsWith("sun/reflect/");
  }
}
