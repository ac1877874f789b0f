package io.karmi.marshal;

/** Object stream of a format, by which a reference that is marshalled finds its message. */
public interface CallObjectOutput {
  /** The message that is being written. */
  CallOutput call();
}
