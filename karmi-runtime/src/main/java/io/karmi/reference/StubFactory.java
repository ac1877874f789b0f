package io.karmi.reference;

import java.rmi.Remote;

/** Factory of stubs for objects that are being exported; the stub layer implements it. */
public interface StubFactory {
  /** Makes a stub that calls through the reference. */
  Remote makeStub(ClientRef reference);

  /**
   * The form that is written in place of a stub of this factory. Streams replace an object once
   * only.
   */
  Object formOf(Remote stub);
}
