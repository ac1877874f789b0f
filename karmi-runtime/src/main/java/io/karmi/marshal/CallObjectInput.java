package io.karmi.marshal;

/**
 * Implemented by the object streams of a format, so that a reference which is unmarshalled finds
 * the message it came in.
 */
public interface CallObjectInput {
  /** The message that is being read. */
  CallInput call();
}
