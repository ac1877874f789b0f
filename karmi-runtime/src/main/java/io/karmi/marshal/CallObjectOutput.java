package io.karmi.marshal;

/**
 * Implemented by the object streams of a format, so that a reference which is marshalled finds the
 * message it leaves in.
 */
public interface CallObjectOutput {
  /** The message that is being written. */
  CallOutput call();
}
