package io.karmi.uka;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.codec.Strategies;
import io.karmi.uka.engine.read.MessageReader;
import io.karmi.uka.engine.read.MessageSkipper;
import java.io.IOException;
import java.io.ObjectInputFilter;
import org.jspecify.annotations.Nullable;

/**
 * An embedded stream of a connection, which goes on after a message that could not be read, and
 * whose messages may each have a filter and classes of their own.
 *
 * <p>Not thread-safe.
 */
public class ConnectionInputStream extends UkaObjectInputStream {
  /** About what a type takes in memory beside {@link #describedBytes}. */
  public static final int TYPE_BYTES = 128;

  /** About what the exception takes that the type of an absent class keeps, with its trace. */
  public static final int FAILURE_BYTES = 1 << 10;

  /** Reads values from {@code buffer} as they are, for a caller that frames messages itself. */
  public ConnectionInputStream(InputBuffer buffer) throws IOException {
    super(buffer);
  }

  /**
   * Looks again for the classes that earlier messages have named: who reads the next one may see
   * others.
   *
   * @throws IOException if one of them does not match what the stream says
   */
  public void rebindTypes() throws IOException {
    reader().rebindTypes();
  }

  /**
   * Passes over a message, all of which is in the buffer, after an object of it could not be read:
   * for whatever reason, and however far. No object of it is made, but what it says about classes
   * is known to the messages behind it.
   *
   * <p>To be called in place of {@link #resetObjects}, with the buffer at the beginning of the
   * message again.
   *
   * @throws IOException if the bytes do not tell where its values end: then messages behind it
   *     cannot be read
   */
  public void skipMessage() throws IOException {
    MessageReader fresh = renewReader(); // first: the failed one holds the objects it has made
    new MessageSkipper(fresh.objects(), Strategies.INSTANCE).skipAll();
    fresh.resetObjects();
  }

  /** Names of arrays that a peer has sent are looked for by {@code resolveClass} alone. */
  @Override
  boolean showsArrayVersions() {
    return false;
  }

  /** The number of types that have been numbered since they began from 0. */
  public int knownTypes() {
    return reader().objects().typeTable().size();
  }

  /** About how many bytes of memory the fields and names take that those types keep. */
  public long describedBytes() {
    return reader().objects().format().describedBytes();
  }

  /**
   * Reads an object of exactly this class, or null, between objects. Of anything else nothing is
   * made.
   *
   * @param type {@link String}, the class of a box, or of an array of primitives
   * @throws ClassCastException if something else comes
   */
  public <T> @Nullable T readExactly(Class<T> type) throws IOException {
    return type.cast(reader().readExactly(type));
  }

  /**
   * The filter of the next message, at its first object. This implementation returns the stream's
   * filter.
   */
  protected @Nullable ObjectInputFilter messageFilter() {
    return super.filterOfMessage();
  }

  @Override
  final @Nullable ObjectInputFilter filterOfMessage() {
    return messageFilter();
  }
}
