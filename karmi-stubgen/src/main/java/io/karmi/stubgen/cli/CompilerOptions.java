package io.karmi.stubgen.cli;

import java.nio.file.Path;
import java.util.List;

/**
 * Options of a run of karmic.
 *
 * @param classPath jars and directories in which classes are found
 * @param scanned jars and directories of which every remote class is taken
 * @param classNames binary names of interfaces and implementation classes
 * @param target where outputs go
 * @param classFileVersion major version of the class files
 * @param classes whether class files are written
 * @param sources whether Java source is written
 * @param nativeImage whether GraalVM's reachability metadata is written
 */
record CompilerOptions(
    List<Path> classPath,
    List<Path> scanned,
    List<String> classNames,
    Path target,
    int classFileVersion,
    boolean classes,
    boolean sources,
    boolean nativeImage) {}
