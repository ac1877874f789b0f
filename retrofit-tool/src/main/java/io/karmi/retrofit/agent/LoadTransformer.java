package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rewires classes as they are loaded: the application's, and those of the JDK that the rules name.
 *
 * <p>The JVM asks about every class; one answer that costs ten microseconds more is twenty
 * milliseconds of a program of two thousand classes.
 */
final class LoadTransformer implements ClassFileTransformer {
  private final RetrofitOptions options;
  private final Transformer transformer;
  private final ModuleOpener opener;
  private final Set<String> rewiredInJdk;
  private final Set<String> changedInJdk;
  private final Set<String> streams;
  private final ClassLoader platform = ClassLoader.getPlatformClassLoader();

  LoadTransformer(
      RuleSet rules, RetrofitOptions options, Transformer transformer, ModuleOpener opener) {
    this.options = options;
    this.transformer = transformer;
    this.opener = opener;
    rewiredInJdk = rules.rewiredInJdk();
    changedInJdk = rules.changedInJdk();
    streams = StreamPermissions.streams(rules);
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (name == null) {
      return null;
    }
    boolean inJdk = loader == null || loader == platform;
    boolean isStream = inJdk && streams.contains(name);
    if (inJdk && !isStream && !changedInJdk.contains(name)) {
      opener.sees(name);
      return null;
    }
    if (name.startsWith("jdk/internal/") || name.startsWith("sun/reflect/")) {
      return null; // accessors, in loaders that the JDK's reflection has for them
    }
    try {
      Outcome outcome =
          isStream
              ? transformer.transformSubclassCheck(classFile)
              : inJdk && !rewiredInJdk.contains(name)
                  ? transformer.transformEntryPoints(name, classFile)
                  : transformer.transform(classFile, new LoaderClassFiles(loader));
      Trace.of(name, outcome, options);
      return outcome.bytes();
    } catch (Throwable e) { // the JVM would swallow it
      Trace.failed(name, e);
      return null;
    }
  }
}
