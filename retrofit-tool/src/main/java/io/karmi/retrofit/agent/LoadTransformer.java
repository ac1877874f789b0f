package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.ClassFiles;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.lang.instrument.ClassFileTransformer;
import java.net.URL;
import java.nio.charset.StandardCharsets;
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
 * <p>A class without a result is defined unchanged, for good. So where stack or memory is short,
 * another thread rewires the class. If that fails, the class is not defined.
 */
final class LoadTransformer implements ClassFileTransformer {
  private static final byte[] REFUSED =
      refused("KaRMI could not rewire this class; see standard error, and load it again;");

  private final RetrofitOptions options;
  private final Transformer transformer;
  private final ModuleOpener opener;
  private final InputStreamWatch watch;
  private final Set<String> rewiredInJdk;
  private final Set<String> changedInJdk;
  private final Set<String> streams;
  private final ClassLoader platform = ClassLoader.getPlatformClassLoader();
  private final ThreadGroup threads = topmost();

  LoadTransformer(
      RuleSet rules,
      RetrofitOptions options,
      Transformer transformer,
      ModuleOpener opener,
      InputStreamWatch watch) {
    this.watch = watch;
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
      opener.sees(name);
      return null;
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
    } catch (VirtualMachineError | LinkageError e) {
      return refuse(name, e);
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

  /** Rewires a class in this thread, or in one of its own where stack or memory is short. */
  private Outcome rewired(@Nullable ClassLoader loader, byte[] classFile) {
    try {
      if (!transformer.mayChange(classFile)) {
        return Outcome.unchanged();
      }
      if (Room.isEnough()) {
        return transformer.transform(classFile, new LoaderClassFiles(loader));
      }
    } catch (VirtualMachineError e) {
      /* There may be no stack for anything else. */
    }
    return OwnThread.transform(threads, transformer, classFile, lockFree(loader));
  }

  /** Class files that are found without the locks that the waiting thread holds. */
  private ClassFiles lockFree(@Nullable ClassLoader loader) {
    boolean ofJdk =
        loader == ClassLoader.getSystemClassLoader() && loader.getClass().getClassLoader() == null;
    return new LoaderClassFiles(ofJdk ? loader : platform);
  }

  private static byte[] refuse(String name, Error cause) {
    try {
      Trace.refused(name, cause);
    } catch (VirtualMachineError e) {
      /* The class is refused, with a message of its own. */
    }
    return REFUSED;
  }

  /** A class file that every JVM refuses, with this text as its invalid name. */
  private static byte[] refused(String text) {
    byte[] name = text.getBytes(StandardCharsets.US_ASCII);
    byte[] file = new byte[name.length + 30];
    byte[] header = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 0, 52, 0, 3, 1};
    System.arraycopy(header, 0, file, 0, header.length);
    int position = header.length;
    file[position++] = (byte) (name.length >>> 8);
    file[position++] = (byte) name.length;
    System.arraycopy(name, 0, file, position, name.length);
    position += name.length;
    byte[] rest = {7, 0, 1, 0, 0x21, 0, 2}; // the class; public; its name, and no superclass
    System.arraycopy(rest, 0, file, position, rest.length);
    return file;
  }

  private static ThreadGroup topmost() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }
}
