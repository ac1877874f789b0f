package io.karmi.flink;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.util.Map;

/** An object stream that finds classes by the loader of a job. */
final class LoaderInput extends UkaObjectInputStream {
  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "byte", byte.class,
          "char", char.class,
          "short", short.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class,
          "void", void.class);

  private final ClassLoader loader;

  LoaderInput(InputBuffer buffer, ClassLoader loader) throws IOException {
    super(buffer);
    this.loader = loader;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
    Class<?> primitive = PRIMITIVES.get(description.getName());
    return primitive != null ? primitive : Class.forName(description.getName(), false, loader);
  }
}
