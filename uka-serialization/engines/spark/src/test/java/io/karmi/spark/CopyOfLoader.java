package io.karmi.spark;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/** A loader with classes of its own by the names of others, as a job's jar has them. */
final class CopyOfLoader extends ClassLoader {
  private final Map<String, byte[]> classFiles = new HashMap<>();

  CopyOfLoader(Class<?>... types) throws IOException {
    super(CopyOfLoader.class.getClassLoader());
    for (Class<?> type : types) {
      String file = "/" + type.getName().replace('.', '/') + ".class";
      try (InputStream in = type.getResourceAsStream(file)) {
        classFiles.put(type.getName(), in.readAllBytes());
      }
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      byte[] own = classFiles.get(name);
      if (own == null) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : defineClass(name, own, 0, own.length);
    }
  }
}
