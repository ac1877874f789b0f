package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Transformer of classes of the JDK that were loaded before the agent: java.rmi's entry points,
 * which ask KaRMI first.
 */
final class EntryPointTransformer implements ClassFileTransformer {
  private final Transformer transformer;
  private final RetrofitOptions options;

  EntryPointTransformer(Transformer transformer, RetrofitOptions options) {
    this.transformer = transformer;
    this.options = options;
  }

  @Override
  public byte @Nullable [] transform(
      Module module,
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (redefined == null || loader != null || name == null) {
      return null; // LoadTransformer changes classes that are loaded later
    }
    try {
      Outcome outcome = transformer.transformEntryPoints(name, classFile);
      Trace.of(name, outcome, options);
      return outcome.bytes();
    } catch (Throwable e) { // the JVM would swallow it
      Trace.failed(name, e);
      return null;
    }
  }
}
