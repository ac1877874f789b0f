package io.karmi.uka.marshal;

/**
 * Marks classes whose marshalers the retrofit tool has made: these do what generated code does, no
 * more. So the engine may choose between the two ({@link ObjectMarshaler#marshalsItself}).
 */
public interface WovenMarshalling extends SelfMarshalling {}
