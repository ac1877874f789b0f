package io.karmi.reference;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.security.ProtectionDomain;
import java.util.Iterator;
import java.util.stream.Stream;

/**
 * The loader of the code that makes the current call, for stubs of interfaces that belong to the
 * JDK.
 *
 * <p>The result of {@code registry.lookup(…)} is looked for where the caller's own classes are, as
 * stock RMI does, which has none but boot classes between the caller and its object stream.
 */
final class CallersLoader {
  private static final StackWalker STACK =
      Privileged.get(() -> StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE));
  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();
  private static final ProtectionDomain OWN = domainOf(CallersLoader.class);

  private CallersLoader() {}

  /** The caller's loader; the platform's if this thread makes no call, or the JDK makes it. */
  static ClassLoader find() {
    return STACK.walk(CallersLoader::findIn);
  }

  /* A loop, not steps of a stream: linking those takes longer than a first call does otherwise. */
  private static ClassLoader findIn(Stream<StackFrame> frames) {
    boolean called = false;
    for (Iterator<StackFrame> all = frames.iterator(); all.hasNext(); ) {
      Class<?> type = all.next().getDeclaringClass();
      called |= type == ClientRef.class;
      if (called && isCaller(type)) {
        return type.getClassLoader();
      }
    }
    return PLATFORM;
  }

  private static ProtectionDomain domainOf(Class<?> type) {
    return Privileged.get(type::getProtectionDomain);
  }

  private static boolean isCaller(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    boolean ofPlatform = loader == null || loader == PLATFORM;
    boolean own = type.getName().startsWith("io.karmi.") && domainOf(type) == OWN;
    return !ofPlatform && !own && !type.isSynthetic();
  }
}
