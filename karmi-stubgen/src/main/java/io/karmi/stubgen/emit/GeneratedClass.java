package io.karmi.stubgen.emit;

/**
 * A class file in memory.
 *
 * @param name the binary name
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GeneratedClass(String name, byte[] bytes) {}
