package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Class files of a class loader, read as resources: no class is loaded for them. */
final class LoaderClassFiles implements ClassFiles {
  private final @Nullable ClassLoader loader;

  LoaderClassFiles(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  @Override
  public byte @Nullable [] find(String internalName) {
    String resource = internalName + ".class";
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(resource)
            : loader.getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      return null; // classes that depend on it are left alone
    }
  }
}
