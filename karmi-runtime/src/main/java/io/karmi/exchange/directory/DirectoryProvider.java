package io.karmi.exchange.directory;

import io.karmi.messaging.Address;
import java.io.IOException;

/** Opens directories of one kind; found by {@link java.util.ServiceLoader}. */
public interface DirectoryProvider {
  /** Whether a URL means a directory of this kind. */
  boolean accepts(String url);

  /**
   * Joins the space of a URL.
   *
   * @param messaging how messages reach the member
   * @throws IOException if it cannot be reached within {@code karmi.keepAlive}
   */
  Directory join(String url, Address messaging) throws IOException;
}
