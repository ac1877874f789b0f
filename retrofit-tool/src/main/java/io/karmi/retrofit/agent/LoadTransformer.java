package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.lang.instrument.ClassFileTransformer;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transformer of classes as they are loaded: the application's, and those of the JDK that the rules
 * name.
 *
 * <p>The JVM calls it for every class: 10 µs for each delay a program of 2,000 classes by 20 ms.
 *
 * <p>A class without a result is defined unchanged, for good: it keeps java.io's streams. In the
 * JDK's format, the default, they read what KaRMI's write, and the other way round. So is one that
 * is loaded where the stack is nearly used up. Errors in the middle might leave the agent's own
 * classes uninitialized for good.
 */
final class LoadTransformer implements ClassFileTransformer {
  private final RetrofitOptions options;
  private final Transformer transformer;
  private final ModuleOpener opener;
  private final InputStreamWatch watch;
  private final LaterAgents later;
  private final Set<String> rewiredInJdk;
  private final Set<String> changedInJdk;
  private final Set<String> streams;
  private final ClassLoader platform = ClassLoader.getPlatformClassLoader();

  LoadTransformer(
      RuleSet rules,
      RetrofitOptions options,
      Transformer transformer,
      ModuleOpener opener,
      InputStreamWatch watch,
      LaterAgents later) {
    this.watch = watch;
    this.later = later;
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
      if (loader == null && redefined == null && name.equals(InputStreamWatch.NAME)) {
        watch.loads(classFile, null);
      }
      if (loader == null && name.equals(LaterAgents.LAUNCHER)) {
        later.haveBegun();
      }
      opener.sees(name);
      return null;
    }
    if (!inJdk) {
      later.loadClass();
    }
    if (name.startsWith("jdk/internal/") || name.startsWith("sun/reflect/")) {
      return null; // accessors of the JDK's reflection, in loaders of their own
    }
    if (isOfImage(domain)) {
      return null;
    }
    try {
      Outcome outcome =
          isStream
              ? transformer.transformSubclassCheck(classFile)
              : inJdk && !rewiredInJdk.contains(name)
                  ? transformer.transformEntryPoints(name, classFile)
                  : rewired(loader, classFile);
      if (isStream && name.equals(InputStreamWatch.NAME)) {
        watch.loads(classFile, outcome.bytes());
      }
      Trace.of(name, outcome, options);
      return outcome.bytes();
    } catch (VirtualMachineError e) {
      Trace.wasShort(name);
      return null;
    } catch (Throwable e) { // the JVM would swallow it
      Trace.failed(name, e);
      return null;
    }
  }

  /**
   * Whether a class comes from the run-time image. The JDK's tools do, which the application's
   * loader defines: they exchange objects with JVMs that have no agent.
   */
  private static boolean isOfImage(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location != null && location.getProtocol().equals("jrt");
  }

  private Outcome rewired(@Nullable ClassLoader loader, byte[] classFile) {
    if (!transformer.mayChange(classFile)) {
      return Outcome.unchanged();
    }
    RoomCheck.require();
    Trace.tellOwed();
    return transformer.transform(classFile, new LoaderClassFiles(loader));
  }
}
