package io.karmi.benchmarks.serialization;

import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The payloads' classes once more, with the marshalers that the retrofit tool weaves. */
final class WeavingLoader extends ClassLoader {
  private static final String PAYLOADS = "io.karmi.benchmarks.payloads.";

  private final Transformer weaver;

  WeavingLoader() {
    super(WeavingLoader.class.getClassLoader());
    RetrofitOptions options = RetrofitOptions.parse("only=serialization,weave");
    weaver = new Transformer(RuleSet.onDisk(options), options);
  }

  /** The payload, made of woven classes where it is of a program's classes. */
  Specimen specimen(SerializationPayload payload) {
    try {
      Class<?> type = loadClass(SerializationPayload.class.getName());
      return (Specimen) type.getMethod("valueOf", String.class).invoke(null, payload.name());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no woven payload " + payload, e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PAYLOADS) && !name.equals(SerializationPayload.class.getName())) {
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
    Outcome outcome = weaver.transform(classFile, this::find);
    byte[] bytes = outcome.isChanged() ? outcome.bytes() : classFile;
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
