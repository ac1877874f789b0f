package io.karmi.uka.engine.read;

/**
 * How objects of one type are read, as the type keeps it: it is found once, each object needs it,
 * and it is of no use when the type is bound to another class. {@link Unmarshaler} is the only one.
 */
abstract class ReadPlan {}
