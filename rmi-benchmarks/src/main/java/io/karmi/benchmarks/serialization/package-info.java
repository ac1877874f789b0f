/**
 * UKA-serialization beside the JDK's and the fastest libraries there are, all in one run.
 *
 * <p>{@link io.karmi.benchmarks.serialization.SerializationStack} lists the contestants, each a
 * {@link io.karmi.benchmarks.serialization.Codec} in the state a busy program has it in: warmed up,
 * buffers and type caches kept. {@link io.karmi.benchmarks.serialization.SerializationPayload}
 * lists what they carry. {@link io.karmi.benchmarks.serialization.SerializationMain} runs JMH over
 * both, prints the table and the ratios, and writes a file for the report. A new contestant is a
 * new codec; a payload it cannot carry unchanged is named in the codec and checked by a test.
 */
package io.karmi.benchmarks.serialization;
