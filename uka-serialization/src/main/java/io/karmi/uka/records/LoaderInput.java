package io.karmi.uka.records;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.platform.TypeCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

/** Object stream that finds classes by the loader of a job. */
public class LoaderInput extends UkaObjectInputStream {
  private final ClassLoader loader;

  /** A stream with a header. */
  public LoaderInput(InputStream in, ClassLoader loader) throws IOException {
    super(in);
    this.loader = loader;
  }

  /** An embedded stream. */
  public LoaderInput(InputBuffer buffer, ClassLoader loader) throws IOException {
    super(buffer);
    this.loader = loader;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description)
      throws IOException, ClassNotFoundException {
    return find(description.getName(), loader);
  }

  /** The class with this name, as {@link Class#getName} returns it; primitive types, too. */
  public static Class<?> find(String name, ClassLoader loader) throws ClassNotFoundException {
    Class<?> primitive = TypeCode.primitive(name);
    return primitive != null ? primitive : Class.forName(name, false, loader);
  }

  @Override
  protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
    Class<?>[] interfaces = new Class<?>[names.length];
    ClassLoader ofHidden = null;
    for (int i = 0; i < names.length; i++) {
      interfaces[i] = find(names[i], loader);
      if (!Modifier.isPublic(interfaces[i].getModifiers())) {
        ofHidden = interfaces[i].getClassLoader();
      }
    }
    try {
      return proxy(ofHidden != null ? ofHidden : loader, interfaces);
    } catch (IllegalArgumentException e) {
      throw new ClassNotFoundException(String.join(", ", names), e);
    }
  }

  @SuppressWarnings("deprecation") // the only way to a proxy's class without an instance
  private static Class<?> proxy(ClassLoader loader, Class<?>... interfaces) {
    return Proxy.getProxyClass(loader, interfaces);
  }
}
