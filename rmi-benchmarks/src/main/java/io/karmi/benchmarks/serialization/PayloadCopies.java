package io.karmi.benchmarks.serialization;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The payloads' classes once more, as they are or with the marshalers that the retrofit tool
 * weaves.
 *
 * <p>What is woven is compared with what is copied, too: how fast a class is also depends on what
 * the JIT has seen of others of its name.
 */
final class PayloadCopies extends ClassLoader {
  private static final String PAYLOADS = "io.karmi.benchmarks.payloads.";
  private static final Set<String> OF_THIS_PACKAGE =
      Set.of(
          SerializationPayload.class.getName(),
          SerializationPayload.Group.class.getName(),
          CommonPayloads.class.getName(),
          PlainReceiver.class.getName());

  private final UnaryOperator<byte[]> rewriting;

  private PayloadCopies(boolean weaving) {
    super(PayloadCopies.class.getClassLoader());
    rewriting = weaving ? weaver() : classFile -> classFile;
  }

  static PayloadCopies asTheyAre() {
    return new PayloadCopies(false);
  }

  static PayloadCopies woven() {
    return new PayloadCopies(true);
  }

  private UnaryOperator<byte[]> weaver() {
    RetrofitOptions options = RetrofitOptions.parse("only=serialization,weave");
    Transformer weaver = new Transformer(RuleSet.onDisk(options), options);
    return classFile -> {
      Outcome outcome = weaver.transform(classFile, this::find);
      return outcome.isChanged() ? outcome.bytes() : classFile;
    };
  }

  /** The payload, made of the copies where it is of a program's classes. */
  Specimen specimen(SerializationPayload payload) {
    try {
      Class<?> type = loadClass(SerializationPayload.class.getName());
      return (Specimen) type.getMethod("valueOf", String.class).invoke(null, payload.name());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no copy of the payload " + payload, e);
    }
  }

  /** A program that has the copies on its class path, so that its streams find them. */
  Receiver receiver() {
    try {
      Class<?> type = loadClass(PlainReceiver.class.getName());
      return (Receiver) type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no copy of the receiver", e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PAYLOADS) && !OF_THIS_PACKAGE.contains(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] classFile = find(name.replace('.', '/'));
    if (classFile == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] bytes = rewriting.apply(classFile);
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte @Nullable [] find(String internalName) {
    try (InputStream in = getResourceAsStream(internalName + ".class")) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
