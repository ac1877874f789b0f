package io.karmi.marshal;

/**
 * Object that a message {@linkplain CallOutput#pin pins}, and that is told if the message is lost.
 */
public interface Pinned {
  /** Called when the message was not sent, or its receiver could not read it. */
  void notArrived();
}
