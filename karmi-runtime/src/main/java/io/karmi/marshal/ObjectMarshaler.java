package io.karmi.marshal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of one direction of a connection: puts objects into its messages.
 *
 * <p>Objects within one message share identity; those of different messages do not. What it
 * remembers beyond a message (type numbers) must match what the peer has received. Not thread-safe.
 */
public interface ObjectMarshaler {
  /** Called before the first object of each message that contains one. */
  void beginMessage() throws IOException;

  /**
   * Appends an object to the buffer.
   *
   * @throws IOException if something in it cannot be serialized
   */
  void marshal(@Nullable Object object) throws IOException;

  /**
   * Called when the message has been marshalled, and will be sent unless the connection fails:
   * forgets its objects, and keeps nothing of them alive.
   */
  void endMessage() throws IOException;

  /**
   * Called in place of {@link #endMessage} if no byte of the message was sent: as if it had never
   * begun.
   */
  void discardMessage() throws IOException;
}
