/**
 * The second delivery: patches of the JDK's own modules for the boot path.
 *
 * <p>{@link io.karmi.retrofit.boot.BootPatch} transforms class files of the JDK that runs, on the
 * user's machine, and writes them as patch jars beside an argument file, so that {@code
 * java @DIR/java.args} is all a user types. Nothing of the JDK is distributed, and nothing of it is
 * changed on disk.
 *
 * <p>A patch fits exactly the JDK that it was made from. Each patched class asks {@link
 * io.karmi.retrofit.boot.PatchedJdk} when it is initialized, and a JVM of another version gets an
 * error that says what to do. So that it can, patched class files are given the class file version
 * of the oldest JDK that KaRMI supports, whose features are all that they use.
 */
@NullMarked
package io.karmi.retrofit.boot;

import org.jspecify.annotations.NullMarked;
