package io.karmi.uka.platform;

import java.io.ObjectInputFilter;
import org.jspecify.annotations.Nullable;

/** The JVM's factory of filters, which a program may replace ({@code jdk.serialFilterFactory}). */
public final class FilterFactory {
  private static volatile @Nullable Object ofJdk;

  private FilterFactory() {}

  /** Whether it is the JDK's, which nobody sees being called. */
  public static boolean isOfJdk() {
    Object factory = ObjectInputFilter.Config.getSerialFilterFactory();
    if (factory != ofJdk) {
      if (!factory.getClass().getName().startsWith("java.io.ObjectInputFilter$Config$")) {
        return false;
      }
      ofJdk = factory;
    }
    return true;
  }
}
