package io.karmi.messaging;

import java.io.IOException;

/**
 * The link over which something was being sent is lost: the other node has died, cannot be reached
 * any more, or has ended. What was sent last may have arrived or not.
 */
public final class LinkLostException extends IOException {
  private static final long serialVersionUID = 1L;

  LinkLostException(Throwable cause) {
    super(cause.getMessage(), cause);
  }

  LinkLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
