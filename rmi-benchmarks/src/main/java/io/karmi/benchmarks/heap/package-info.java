/**
 * Fresh graphs of objects from one JVM to another, as in figures 7 to 11 and tables 2 to 5 of the
 * Naos paper: by serializers and a socket, by object channels, and by remote calls.
 */
@NullMarked
package io.karmi.benchmarks.heap;

import org.jspecify.annotations.NullMarked;
