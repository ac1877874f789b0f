package io.karmi.stubgen.emit;

/**
 * A class file in memory.
 *
 * @param name the binary name
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ClassFile(String name, byte[] bytes) {}
