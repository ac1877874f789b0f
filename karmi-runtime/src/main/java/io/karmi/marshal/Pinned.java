package io.karmi.marshal;

/** What a message {@linkplain CallOutput#pin pins} and wants to know about if it is lost. */
public interface Pinned {
  /** The message was not sent, or its receiver could not read it. */
  void notArrived();
}
