package io.karmi.uka.engine;

/** Marker of classes that carry their own marshalers; see {@code io.karmi.uka.UkaAware}. */
public interface SelfMarshalling {}
