/**
 * {@code karmi-bench messaging}: what a message costs over each technology, beside calls and beside
 * a socket that sends 64 KB at a time.
 */
package io.karmi.benchmarks.messaging;
