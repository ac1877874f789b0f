package io.karmi.retrofit.rules;

/**
 * A static method of the JDK whose calls are redirected to a twin of the same name and descriptor.
 *
 * @param owner internal name of the class that declares it
 * @param twin internal name of KaRMI's class that declares the twin
 */
public record StaticCall(String owner, String name, String descriptor, String twin) {}
