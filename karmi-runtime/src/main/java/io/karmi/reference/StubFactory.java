package io.karmi.reference;

import java.rmi.Remote;

/** Makes the stub of an object that is being exported; the stub layer implements it. */
public interface StubFactory {
  /** Makes a stub that calls through the reference. */
  Remote makeStub(ClientRef reference);

  /**
   * What is written in place of a stub of this factory: streams that replace an object do not
   * replace it twice.
   */
  Object formOf(Remote stub);
}
