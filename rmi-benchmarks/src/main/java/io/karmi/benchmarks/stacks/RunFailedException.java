package io.karmi.benchmarks.stacks;

import java.io.IOException;

/** A run that did not give its measurements; the message holds what the JVMs printed last. */
public final class RunFailedException extends IOException {
  private static final long serialVersionUID = 1;

  RunFailedException(String message) {
    super(message);
  }
}
