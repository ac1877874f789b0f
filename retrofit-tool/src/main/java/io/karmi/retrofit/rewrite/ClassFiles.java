package io.karmi.retrofit.rewrite;

import org.jspecify.annotations.Nullable;

/**
 * Source of the class files of other classes: a jar, a class loader's resources, the JDK's image.
 */
public interface ClassFiles {
  /**
   * The bytes of a class file.
   *
   * @return null if it is not there
   */
  byte @Nullable [] find(String internalName);
}
