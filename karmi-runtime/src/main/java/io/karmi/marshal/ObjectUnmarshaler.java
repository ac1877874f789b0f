package io.karmi.marshal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of one direction of a connection: the mirror image of {@link ObjectMarshaler}.
 */
public interface ObjectUnmarshaler {
  /** Called before the first object of each message that contains one. */
  void beginMessage() throws IOException;

  /**
   * Takes the next object from the buffer.
   *
   * @throws ClassNotFoundException if the class of something in it is not here
   */
  @Nullable Object unmarshal() throws IOException, ClassNotFoundException;

  /**
   * Takes the next object, which must be of exactly this class, or null. No object of another class
   * is created, even if the filter allows it.
   *
   * @param type one of {@link ExactTypes}
   * @throws ClassCastException if something else comes
   */
  @Nullable Object unmarshalExactly(Class<?> type) throws IOException, ClassNotFoundException;

  /**
   * Called when the message has been read: forgets its objects, and keeps nothing of them alive.
   */
  void endMessage() throws IOException;

  /**
   * Called in place of {@link #endMessage} if an object could not be read, with the buffer at the
   * first object again and limited to the message: skips it, so that the messages behind it can be
   * read.
   *
   * @throws IOException if that is impossible; then this unmarshaler is of no more use
   */
  void skipMessage() throws IOException;
}
