/**
 * The first delivery: jars and directories rewritten on disk.
 *
 * <p>{@link io.karmi.retrofit.jar.DiskRewriter} takes whole inputs, {@link
 * io.karmi.retrofit.jar.JarRewriter} one jar and the jars inside it. Inputs are only read. An
 * output is written under another name beside its place and moved there when it is complete. The
 * same input gives the same bytes: order and times of entries are the input's.
 *
 * <p>What cannot be read is an {@link java.io.IOException} that names the file. A class that cannot
 * be rewired is copied and noted in the {@link io.karmi.retrofit.jar.Report}.
 */
@NullMarked
package io.karmi.retrofit.jar;

import org.jspecify.annotations.NullMarked;
