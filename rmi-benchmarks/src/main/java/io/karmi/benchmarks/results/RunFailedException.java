package io.karmi.benchmarks.results;

import java.io.IOException;

/**
 * A run that did not give its measurements, or a wrong one; the message holds what the JVMs printed
 * last, or the results that differ.
 */
public final class RunFailedException extends IOException {
  private static final long serialVersionUID = 1;

  public RunFailedException(String message) {
    super(message);
  }
}
