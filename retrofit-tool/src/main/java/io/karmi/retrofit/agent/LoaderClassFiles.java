package io.karmi.retrofit.agent;

import io.karmi.retrofit.rewrite.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Class files as a class loader's resources: reading one loads no class. */
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
      return null; // as good as not there: what depends on it is left alone
    }
  }
}
