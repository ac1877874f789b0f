package io.karmi.retrofit.rules;

/**
 * A static method of the JDK whose callers are led to a twin of the same name and descriptor.
 *
 * @param owner internal name of the class that declares it
 * @param twin internal name of the class that declares KaRMI's
 */
public record StaticCall(String owner, String name, String descriptor, String twin) {}
