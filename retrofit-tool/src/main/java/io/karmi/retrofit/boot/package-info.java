/**
 * The second delivery: patches of the JDK's own modules for the boot path.
 *
 * <p>{@link io.karmi.retrofit.boot.BootPatch} transforms class files of the running JDK, on the
 * user's machine. It writes them as patch jars beside an argument file, and {@code
 * java @DIR/java.args} applies them. No part of the JDK is distributed, and the JDK's files stay
 * unchanged.
 *
 * <p>A patch fits exactly the JDK that it was made from. Each patched class checks this by {@link
 * io.karmi.retrofit.boot.PatchedJdk} when it is initialized, and the error says what to do. Patched
 * class files have the class file version of the oldest supported JDK, and use only its features.
 * So a JVM of another version can load them, and reaches the check.
 */
@NullMarked
package io.karmi.retrofit.boot;

import org.jspecify.annotations.NullMarked;
