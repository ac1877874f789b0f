package io.karmi.uka.field;

/** Marker of classes that carry their own marshalers; see {@code io.karmi.uka.UkaAware}. */
public interface SelfMarshalling {}
