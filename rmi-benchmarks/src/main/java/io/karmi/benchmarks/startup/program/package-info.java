/**
 * The classes of a sample program. Each is a template: its copies have other numbers in place of
 * the four zeros of its name. They use nothing but the JDK.
 */
package io.karmi.benchmarks.startup.program;
