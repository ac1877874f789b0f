package io.karmi.marshal;

/** Object that a message {@linkplain CallOutput#pin pins}, and that is told what becomes of it. */
public interface Pinned {
  /** Called when the message was not sent, or its receiver could not read it. */
  default void notArrived() {}

  /** Bytes of memory that it may keep, about. */
  default long pinnedBytes() {
    return CallOutput.PINNED_BYTES;
  }
}
