package io.karmi.uka.engine;

/** Marks classes that carry their own marshalers; {@code io.karmi.uka.UkaAware} says how. */
public interface SelfMarshalling {}
