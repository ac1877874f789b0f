/**
 * A program of two JVMs that imports only {@code java.*}: a server that exports one object, and a
 * client that calls it once.
 */
@NullMarked
package io.karmi.benchmarks.startup.remote;

import org.jspecify.annotations.NullMarked;
