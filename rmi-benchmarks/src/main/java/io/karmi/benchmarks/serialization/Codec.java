package io.karmi.benchmarks.serialization;

/**
 * One library in the state a busy program keeps it in: buffers and caches live on from message to
 * message.
 *
 * <p>Sender and receiver are one codec; what a connection remembers on either side it remembers
 * here. Not thread-safe.
 */
public abstract class Codec {
  /** Serializes into the codec's own buffer; returns the number of bytes. */
  public abstract int serialize(Object object) throws Exception;

  /** The buffer of the last {@link #serialize}; valid until the next. */
  public abstract byte[] bytes();

  /** Reads what {@link #serialize} wrote, copied to the start of {@code message}. */
  public abstract Object deserialize(byte[] message, int length) throws Exception;

  /** One message, so that both sides know the classes; returns what arrived. */
  final Object roundTrip(Object object) throws Exception {
    int length = serialize(object);
    return deserialize(bytes().clone(), length);
  }
}
