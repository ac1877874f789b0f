package io.karmi.dgc;

/** The objects of this node, as its collector sees them; the reference layer implements it. */
public interface ExportedObjects {
  /** Keeps an object alive: at least one other node holds a reference to it. Unknown numbers are ignored. */
  void hold(long number);

  /**
   * Lets an object go: no other node holds a reference to it any more. If it is {@link java.rmi.server.Unreferenced} it is
   * told so.
   */
  void letGo(long number);
}
