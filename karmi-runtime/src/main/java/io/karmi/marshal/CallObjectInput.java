package io.karmi.marshal;

/** Object stream of a format, by which a reference that is unmarshalled finds its message. */
public interface CallObjectInput {
  /** The message that is being read. */
  CallInput call();
}
