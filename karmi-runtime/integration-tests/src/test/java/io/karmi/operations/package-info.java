/**
 * What operators may set and see, tried out between two JVMs: {@code Operated} is the program, each
 * of its ends runs in a JVM with settings of its own.
 */
package io.karmi.operations;
